import { basename } from 'node:path';
import { findTsserver } from './find.ts';

export type Prepared = { readonly initializationOptions: unknown } | { readonly missing: string };

/** What a server must be told so that it does not run the workspace's own code; nothing of it where that is trusted. */
export function prepare(program: string, path: readonly string[], trusted: boolean): Prepared {
  switch (basename(program)) {
    case 'typescript-language-server': {
      // Otherwise it takes node_modules/typescript of the workspace, which is any JavaScript at all.
      const tsserver = trusted ? undefined : findTsserver(program, path);
      if (!trusted && tsserver === undefined) {
        return { missing: 'typescript-language-server needs a TypeScript beside it: npm install -g typescript@5' };
      }
      // Downloading types is for the user to decide.
      return {
        initializationOptions: {
          disableAutomaticTypingAcquisition: true,
          ...(tsserver === undefined ? {} : { tsserver: { path: tsserver } }),
        },
      };
    }
    case 'rust-analyzer':
      if (trusted) return { initializationOptions: {} };
      return {
        initializationOptions: {
          cargo: { buildScripts: { enable: false } },
          procMacro: { enable: false },
          checkOnSave: false,
        },
      };
    default:
      return { initializationOptions: {} };
  }
}
