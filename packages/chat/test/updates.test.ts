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
