import type { Companion, House, Log } from '@tandem/core';
import { diskFiles } from './acp/files.ts';
import type { AgentFiles } from './connection.ts';

/** The parts of a companion that a conversation works with. */
export type ChatHouse = Pick<House, 'editor' | 'workspace' | 'desk' | 'policy' | 'ledger' | 'log' | 'context'>;

export function houseOf(companion: Companion, log: Log = () => {}): ChatHouse {
  const { editor, workspace, desk, policy, ledger } = companion;
  return { editor, workspace, desk, policy, ledger, log, context: () => companion.context };
}

/** Who the ledger and the desk know a conversation as. */
export interface ChatIdentity {
  readonly id: string;
  readonly agent: string;
}

/** What an agent reads through us: the text the user sees, where that may leave; else what is on disk. */
export function filesOf(house: ChatHouse, { id, agent }: ChatIdentity): AgentFiles {
  return {
    async read(path) {
      if (house.policy.denies(path)) throw new Error(`${path} is not shared: it is on the deny list`);
      const unsaved = house.policy.sharing === 'auto' ? await house.editor.unsavedText(path) : undefined;
      if (unsaved === undefined) return diskFiles.read(path);
      house.ledger.note({ link: id, agent, what: 'document', paths: [path], text: unsaved });
      return unsaved;
    },
  };
}
