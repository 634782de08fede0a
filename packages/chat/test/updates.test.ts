import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionUpdate } from '../src/acp/schema.ts';
import { eventsOf } from '../src/acp/updates.ts';

/** The line that a tool names, from 0. */
function lineOf(line: number | undefined, _meta?: object): unknown {
  const locations = [{ path: '/w/a.txt', ...(line === undefined ? {} : { line }) }];
  const wire = { sessionUpdate: 'tool_call_update', toolCallId: 't', locations, ...(_meta ? { _meta } : {}) };
  const [event] = eventsOf(SessionUpdate.parse(wire));
  return event?.type === 'tool' && event.call.locations?.[0]?.line;
}

test("[ACP-1] places count from 1, but those of Qwen's tool for reading from 0", () => {
  assert.deepEqual([lineOf(3), lineOf(0), lineOf(undefined)], [2, 0, undefined]);
  assert.equal(lineOf(2, { toolName: 'read_file' }), 2);
  assert.equal(lineOf(3, { toolName: 'edit' }), 2);
});

test("[ACP-1] what Gemini CLI has told the model by itself is not the user's message", () => {
  const told = (text: string) =>
    eventsOf(SessionUpdate.parse({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text } })).map(
      (event) => event.type === 'message' && event.text,
    );
  const own = '<session_context>\nThis is the Gemini CLI.\n</session_context>';
  assert.deepEqual(
    [told(own), told(`${own}who are you`), told('what is <session_context>?')],
    [[], ['who are you'], ['what is <session_context>?']],
  );
});
