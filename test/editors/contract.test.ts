// The contract of the core's Editor port, with the extension's adapter in a real VS Code and a user at its page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { EDITOR_CONTRACT } from '../../packages/core/src/editor/contract.ts';
import { packContract } from './support/contract-extension.ts';
import { ContractUser } from './support/contract-user.ts';
import { Studio } from './support/studio.ts';
import { withEvidence } from './support/testing.ts';

describe('the editor contract in VS Code', { concurrency: 1 }, () => {
  let user: ContractUser;
  let studio: Studio;

  before(async () => {
    user = await ContractUser.listen();
    studio = await Studio.start({
      extensions: (sandbox) => [packContract(sandbox.root)],
      env: { CONTRACT_USER: user.url },
    });
    // With a workspace file a folder can be added without a new extension host.
    const workspace = join(studio.sandbox.root, 'contract.code-workspace');
    writeFileSync(workspace, JSON.stringify({ folders: [{ path: studio.sandbox.workspace }] }));
    mkdirSync(join(studio.sandbox.root, 'added'));
    user.window = await studio.window(workspace);
  });
  after(async () => {
    await studio?.discard();
    user?.close();
  });

  for (const { name } of EDITOR_CONTRACT) {
    test(`the editor contract, in VS Code: ${name}`, () =>
      withEvidence(
        () => studio,
        name,
        async () => {
          const { window } = user;
          await window?.inHost(async (api, title) => {
            await api.commands.executeCommand('tandem.runContract', title);
          }, name);
          await window?.closeAll();
        },
      ));
  }

  test('nothing is left of the contract', () => studio.end());
});
