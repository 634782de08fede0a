import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translateOutputs } from '../src/jupyter-outputs.ts';

const item = (mime: string, text: string) => ({ mime, data: Buffer.from(text) });
const stdout = (text: string) => ({ items: [item('application/vnd.code.notebook.stdout', text)] });

test('what a notebook shows, as an agent can take it', () => {
  const image = Buffer.from([1, 2, 3]);
  const outputs = [
    stdout('one\n'),
    stdout('two\n'),
    { items: [item('text/html', '<img>'), { mime: 'image/png', data: image }, item('text/plain', '<Figure>')] },
    { items: [item('text/html', '<b>3</b>'), item('text/plain', '3')] },
  ];
  assert.deepEqual(translateOutputs(outputs), [
    { type: 'text', text: 'one\ntwo\n' },
    { type: 'image', mimeType: 'image/png', data: image.toString('base64') },
    { type: 'text', text: '3' },
  ]);
});

test('an error comes with its traceback and without colours', () => {
  const error = { name: 'ValueError', message: 'no', stack: '\u001b[0;31mValueError\u001b[0m: no' };
  const outputs = [{ items: [item('application/vnd.code.notebook.error', JSON.stringify(error))] }];
  assert.deepEqual(translateOutputs(outputs), [{ type: 'error', text: 'ValueError: no' }]);
});
