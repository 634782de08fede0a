// Codex speaks ACP through an adapter that brings it along. It is in no terminal here, so it is not among the agents.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeModel } from '../models/model.ts';
import { start } from '../models/responses.ts';
import { codexAcp, nodeBin } from '../paths.ts';
import type { Sandbox } from '../sandbox.ts';

export const codexOverAcp = {
  command: [nodeBin, join(codexAcp.dir, 'node_modules', codexAcp.name, 'dist', 'index.js')],
  startModel: start,
  environment: () => ({ CODEX_FAKE_KEY: 'fake', NO_BROWSER: '1' }),

  /** A model of ours; the name is one of those that edit with a tool. */
  settle(sandbox: Sandbox, model: FakeModel): void {
    const home = join(sandbox.home, '.codex');
    const settings = `
model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.fake]
name = "Fake"
base_url = "${model.url}/v1"
env_key = "CODEX_FAKE_KEY"
wire_api = "responses"
`;
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'config.toml'), settings);
  },
};
