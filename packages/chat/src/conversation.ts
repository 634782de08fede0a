import type {
  AgentCommand,
  AgentOption,
  Attachment,
  ChatEvent,
  ChatNotice,
  Choice,
  ConnectionState,
  MessageChunk,
  PermissionRequest,
  PlanEntry,
  QuestionRequest,
  QueuedPrompt,
  SessionInfo,
  ToolCall,
  ToolCallPatch,
  TurnEnd,
  Usage,
} from './events.ts';

/** What a panel shows. Items that did not change stay the same objects, so a list can be drawn by comparing them. */
export interface Conversation {
  readonly connection: ConnectionState;
  readonly session: SessionInfo | undefined;
  readonly title: string | undefined;
  readonly items: readonly Item[];
  /** What waits for an answer, oldest first. */
  readonly asks: readonly Ask[];
  readonly queue: readonly QueuedPrompt[];
  /** The prompt that runs. */
  readonly running: string | undefined;
  /** The history is being told. */
  readonly loading: boolean;
  readonly mode: Choosable;
  readonly model: Choosable;
  readonly options: readonly AgentOption[];
  readonly commands: readonly AgentCommand[];
  readonly usage: Usage;
  /** How many items there ever were: keys are made of it. */
  readonly count: number;
}

export interface Choosable {
  readonly current: string | undefined;
  readonly available: readonly Choice[];
}

export type Ask =
  | { readonly type: 'permission'; readonly id: string; readonly request: PermissionRequest; readonly review?: string }
  | { readonly type: 'question'; readonly id: string; readonly request: QuestionRequest };

export type Item = { readonly key: string } & (
  | {
      readonly type: 'message';
      readonly role: 'user' | 'agent';
      readonly text: string;
      readonly promptId?: string;
      readonly elsewhere?: boolean;
      readonly attachments?: readonly Attachment[];
    }
  | { readonly type: 'thought'; readonly text: string }
  | { readonly type: 'tool'; readonly call: ToolCall; readonly review?: string }
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | { readonly type: 'notice'; readonly notice: ChatNotice }
  /** Only of turns that ended otherwise than they should. */
  | { readonly type: 'end'; readonly reason: TurnEnd; readonly message?: string }
);

type Body = Item extends infer T ? (T extends Item ? Omit<T, 'key'> : never) : never;

export const EMPTY: Conversation = {
  connection: { status: 'stopped' },
  session: undefined,
  title: undefined,
  items: [],
  asks: [],
  queue: [],
  running: undefined,
  loading: false,
  mode: { current: undefined, available: [] },
  model: { current: undefined, available: [] },
  options: [],
  commands: [],
  usage: {},
  count: 0,
};

export function apply(conversation: Conversation, event: ChatEvent): Conversation {
  return applyAll(conversation, [event]);
}

/** The same as one after the other, but the list of items is copied only once. */
export function applyAll(conversation: Conversation, events: Iterable<ChatEvent>): Conversation {
  const draft = new Draft(conversation);
  for (const event of events) step(draft, event);
  return draft.done();
}

function step(draft: Draft, event: ChatEvent): void {
  switch (event.type) {
    case 'connection':
      return draft.set({ connection: event.state });
    case 'session':
      return draft.set({ session: event.session, title: event.session.title ?? draft.now.title });
    case 'title':
      return draft.set({ title: event.title });
    case 'history':
      return event.phase === 'begin' ? draft.forget() : draft.set({ loading: false });
    case 'kept':
      return kept(draft, event);
    case 'message':
      return message(draft, event);
    case 'thought':
      return thought(draft, event.text);
    case 'tool':
      return tool(draft, event.call);
    case 'plan':
      return plan(draft, event.entries);
    case 'permission':
      tool(draft, event.request.call);
      return ask(draft, { type: 'permission', id: event.request.id, request: event.request });
    case 'question':
      return ask(draft, { type: 'question', id: event.request.id, request: event.request });
    case 'answered':
      return draft.set({ asks: draft.now.asks.filter(({ id }) => id !== event.id) });
    case 'review':
      return review(draft, event.permission, event.review);
    case 'mode':
      return draft.set({ mode: chosen(draft.now.mode, event) });
    case 'model':
      return draft.set({ model: chosen(draft.now.model, event) });
    case 'options':
      return draft.set({ options: event.options });
    case 'usage':
      return draft.set({ usage: { ...draft.now.usage, ...event.usage } });
    case 'queue':
      return draft.set({ queue: event.waiting });
    case 'turn-start':
      return draft.set({ running: event.promptId });
    case 'turn-end':
      return turnEnd(draft, event);
    case 'commands':
      return draft.set({ commands: event.commands });
    case 'notice':
      return draft.add({ type: 'notice', notice: event.notice });
  }
}

function kept(draft: Draft, { items, title }: ChatEvent & { type: 'kept' }): void {
  draft.clear();
  draft.set({ title: title ?? draft.now.title });
  for (const { key: _, ...body } of items) draft.add(body);
}

function message(draft: Draft, { type: _, ...chunk }: MessageChunk): void {
  const last = draft.last;
  const goesOn = last?.type === 'message' && last.role === chunk.role && last.promptId === chunk.promptId;
  if (!goesOn) return draft.add({ type: 'message', ...chunk });
  const attachments = [...(last.attachments ?? []), ...(chunk.attachments ?? [])];
  draft.replaceLast({ ...last, text: last.text + chunk.text, ...(attachments.length > 0 ? { attachments } : {}) });
}

function thought(draft: Draft, text: string): void {
  const last = draft.last;
  if (last?.type === 'thought') draft.replaceLast({ ...last, text: last.text + text });
  else draft.add({ type: 'thought', text });
}

function tool(draft: Draft, patch: ToolCallPatch): void {
  const at = draft.findLast((item) => item.type === 'tool' && item.call.id === patch.id);
  const item = draft.now.items[at];
  if (item?.type === 'tool') return draft.replace(at, { ...item, call: { ...item.call, ...patch } });
  draft.add({ type: 'tool', call: { ...BLANK_CALL, ...patch } });
}

const BLANK_CALL = { title: '', kind: 'other', status: 'pending', locations: [], content: [] } as const;

/** A plan is told whole each time; within a turn it stays where it first stood. */
function plan(draft: Draft, entries: readonly PlanEntry[]): void {
  const at = draft.findLast((item) => item.type === 'plan' || (item.type === 'message' && item.role === 'user'));
  const item = draft.now.items[at];
  if (item?.type === 'plan') draft.replace(at, { ...item, entries });
  else draft.add({ type: 'plan', entries });
}

function ask(draft: Draft, ask: Ask): void {
  draft.set({ asks: [...draft.now.asks.filter(({ id }) => id !== ask.id), ask] });
}

function review(draft: Draft, permission: string, review: string): void {
  const found = draft.now.asks.find(({ id }) => id === permission);
  if (found?.type !== 'permission') return;
  draft.set({ asks: draft.now.asks.map((each) => (each === found ? { ...found, review } : each)) });
  const at = draft.findLast((item) => item.type === 'tool' && item.call.id === found.request.call.id);
  const item = draft.now.items[at];
  if (item?.type === 'tool') draft.replace(at, { ...item, review });
}

function chosen(before: Choosable, event: { current: string; available?: readonly Choice[] }): Choosable {
  return { current: event.current, available: event.available ?? before.available };
}

function turnEnd(draft: Draft, event: ChatEvent & { type: 'turn-end' }): void {
  if (draft.now.running === event.promptId) draft.set({ running: undefined });
  if (event.reason === 'end_turn' || event.reason === 'taken-back') return;
  const { reason, message } = event;
  draft.add({ type: 'end', reason, ...(message === undefined ? {} : { message }) });
}

/** A conversation in the making: the items are copied when the first of them changes. */
class Draft {
  now: Conversation;
  #items: Item[] | undefined;

  constructor(start: Conversation) {
    this.now = start;
  }

  set(change: Partial<Conversation>): void {
    this.now = { ...this.now, ...change };
  }

  get last(): Item | undefined {
    return this.now.items.at(-1);
  }

  findLast(matches: (item: Item) => boolean): number {
    return this.now.items.findLastIndex(matches);
  }

  add(body: Body): void {
    const count = this.now.count + 1;
    const items = this.#own();
    items.push({ ...body, key: String(count) } as Item);
    this.set({ count });
  }

  replace(at: number, item: Item): void {
    this.#own()[at] = item;
  }

  replaceLast(item: Item): void {
    this.replace(this.now.items.length - 1, item);
  }

  /** What the agent tells again is forgotten; what we know of ourselves stays. */
  forget(): void {
    this.clear();
    this.set({ asks: [], queue: [], running: undefined, loading: true, usage: {} });
  }

  clear(): void {
    this.#items = undefined;
    this.set({ items: [] });
  }

  done(): Conversation {
    return this.now;
  }

  #own(): Item[] {
    if (!this.#items) {
      this.#items = [...this.now.items];
      this.set({ items: this.#items });
    }
    return this.#items;
  }
}
