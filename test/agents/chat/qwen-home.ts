// A HOME for Qwen Code with two models of ours, and nothing else of the machine.
import { agentCommand } from '../paths.ts';
import type { Sandbox } from '../sandbox.ts';
import type { ChatModel } from './model.ts';

/** Stands for the model's key: it must never be seen anywhere else. */
export const MODEL_KEY = 'sk-canary-5d1f0c9e7b3a4862';

export function settleQwen(sandbox: Sandbox, model: ChatModel): void {
  const provider = (id: string) => ({ id, name: id, envKey: 'FAKE_KEY', baseUrl: model.url });
  // It shows pictures only to models that it knows to see.
  const seeing = { ...provider('fake-b'), generationConfig: { modalities: { image: true } } };
  sandbox.writeHome('.qwen/settings.json', {
    $version: 4,
    security: { auth: { selectedType: 'openai' } },
    env: { FAKE_KEY: MODEL_KEY },
    modelProviders: { openai: [provider('fake-a'), seeing] },
    model: { name: 'fake-a' },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    memory: { enableManagedAutoMemory: false },
    ui: { enableFollowupSuggestions: false },
    // Off by default; it is what tells a plan.
    tools: { todoWrite: { enabled: true } },
  });
}

export function qwenCommand(): { command: string; args: string[] } {
  const [command = '', ...args] = agentCommand('qwen');
  return { command, args };
}
