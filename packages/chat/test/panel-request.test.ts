import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EDITOR_REQUEST, PANEL_REQUEST } from '../src/panel-request.ts';

test('a panel in a webview asks the editor for what is on the list, and for nothing else', () => {
  const good = [
    { do: 'open-file', path: '/ws/a.ts', line: 3 },
    { do: 'show-review', id: 'review-1' },
    { do: 'copy', text: '' },
    { do: 'save', name: 'chat.md', text: '# Chat' },
    { do: 'files' },
    { do: 'selection' },
  ];
  for (const request of good) assert.deepEqual(EDITOR_REQUEST.parse(request), request);
  const bad = [
    { do: 'open-file', path: '' },
    { do: 'open-file', path: '/ws/a.ts', line: -1 },
    { do: 'save', name: 'x'.repeat(300), text: '' },
    { do: 'run', command: 'rm' },
    'files',
    null,
  ];
  for (const request of bad) assert.equal(EDITOR_REQUEST.safeParse(request).success, false, JSON.stringify(request));
});

test('what a host is asked for is not what an editor is asked for', () => {
  assert.equal(PANEL_REQUEST.safeParse({ do: 'files' }).success, false);
  assert.equal(EDITOR_REQUEST.safeParse({ do: 'start', agent: 'qwen' }).success, false);
  assert.equal(PANEL_REQUEST.safeParse({ do: 'start', agent: 'qwen' }).success, true);
});
