import type { AgentOption, ChatEvent, Choice } from '../events.ts';
import type { ConfigOption, SessionState } from './schema.ts';

/** How agents call the mode in which they ask before they write. Codex is by itself in one in which it does not. */
const ASKING = ['default', 'read-only'];

/** The mode to set: the wanted one, or the one in which the agent asks; `undefined` if it has no such mode. */
export function askingMode(available: readonly Choice[], wanted: string | undefined): string | undefined {
  const ids = wanted === undefined ? ASKING : [wanted];
  return ids.find((id) => available.some((each) => each.id === id));
}

/** What a session said of its modes, models and further options. */
export function stateEvents(state: SessionState): ChatEvent[] {
  const events: ChatEvent[] = [];
  const { modes, configOptions = [] } = state;
  const option = configOptions.find((each) => roleOf(each) === 'model');
  // Codex names the models otherwise in the list than in the option; changes come with the option's names.
  const models = option && !modelOption([option], state.models?.currentModelId) ? undefined : state.models;
  if (modes) events.push({ type: 'mode', current: modes.currentModeId, available: modes.availableModes.map(choice) });
  if (models) {
    events.push({ type: 'model', current: models.currentModelId, available: models.availableModels.map(choice) });
  }
  return [...events, ...optionEvents(configOptions, { mode: !modes, model: !models })];
}

/** Options named mode and model are told as such; agents repeat them there, and newer ones tell them only there. */
export function optionEvents(wire: readonly ConfigOption[], wanted = { mode: true, model: true }): ChatEvent[] {
  const events: ChatEvent[] = [];
  const options: AgentOption[] = [];
  for (const each of wire) {
    if (typeof each.currentValue !== 'string') continue;
    const choices = (each.options ?? []).flatMap(optionChoices);
    const role = roleOf(each);
    if (role === undefined) {
      options.push({ id: each.id, name: each.name ?? each.id, current: each.currentValue, choices });
    } else if (wanted[role]) {
      events.push({ type: role, current: each.currentValue, available: choices });
    }
  }
  if (options.length > 0) events.push({ type: 'options', options });
  return events;
}

/** The option by which a model of this name is chosen. */
export function modelOption(wire: readonly ConfigOption[], id: string | undefined): ConfigOption | undefined {
  const offers = (each: ConfigOption) => (each.options ?? []).flatMap(optionChoices).some((choice) => choice.id === id);
  return wire.find((each) => roleOf(each) === 'model' && offers(each));
}

function roleOf(option: ConfigOption): 'mode' | 'model' | undefined {
  for (const role of ['mode', 'model'] as const) if (option.id === role || option.category === role) return role;
  return undefined;
}

function choice(wire: unknown): Choice {
  const { modelId, id, name, description } = wire as Record<string, string | undefined>;
  return { id: modelId ?? id ?? '', name: name ?? '', ...(description ? { description } : {}) };
}

/** Options may stand in groups. */
function optionChoices(wire: unknown): Choice[] {
  if (typeof wire !== 'object' || wire === null) return [];
  const { value, name, description, options } = wire as Record<string, unknown>;
  if (Array.isArray(options)) return options.flatMap(optionChoices);
  if (typeof value !== 'string') return [];
  return [
    {
      id: value,
      name: typeof name === 'string' ? name : value,
      ...(typeof description === 'string' && description !== '' ? { description } : {}),
    },
  ];
}
