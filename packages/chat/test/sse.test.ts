import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FrameTooLarge, type SseFrame, SseParser } from '../src/daemon/sse.ts';

function parse(...chunks: readonly (string | Uint8Array)[]): SseFrame[] {
  const parser = new SseParser();
  return chunks.flatMap((chunk) => [...parser.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)]);
}

test('reads frames as the daemon writes them', () => {
  const frames = parse(
    'retry: 3000\n\nid: 7\nevent: turn_complete\ndata: {"a":1}\n\n: heartbeat\n\ndata: x\ndata: y\n\n',
  );
  assert.deepEqual(frames, [{ id: '7', event: 'turn_complete', data: '{"a":1}' }, { data: 'x\ny' }]);
});

test('[DMN-4] a frame without its blank line is not told', () => {
  assert.deepEqual(parse('data: whole\n\ndata: {"half":'), [{ data: 'whole' }]);
  assert.deepEqual(parse('data: whole\n\ndata: all but the end\n'), [{ data: 'whole' }]);
});

test('an event that never ends is not collected for ever', () => {
  const parser = new SseParser(1000);
  const push = (text: string) => [...parser.push(Buffer.from(text))];
  assert.equal(push(`data: ${'x'.repeat(900)}\n\n`).length, 1);
  assert.equal(push(`${': beat\n'.repeat(1000)}`).length, 0, 'comments do not count');
  push(`data: ${'x'.repeat(900)}`);
  assert.throws(() => push('x'.repeat(200)), FrameTooLarge);
});

/** Any text that can stand in one data line. */
const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ' '));
const frame = fc.record({ id: fc.nat(), data: line.filter((text) => text !== '') });

/** Cuts bytes at arbitrary places, also inside a character. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
}

test('[DMN-4] wherever the chunks end, the frames are the same; cut off anywhere, only whole ones are told', () => {
  const property = fc.property(
    fc.array(frame, { maxLength: 8 }),
    fc.array(fc.nat(), { maxLength: 12 }),
    fc.boolean(),
    fc.nat(),
    (frames, places, windows, end) => {
      const eol = windows ? '\r\n' : '\n';
      const texts = frames.map(({ id, data }) => `id: ${id}${eol}event: e${eol}data: ${data}${eol}${eol}`);
      const bytes = Buffer.from(texts.join(''));
      const expected = frames.map(({ id, data }) => ({ id: String(id), event: 'e', data }));
      assert.deepEqual(parse(...cut(bytes, places)), expected);
      const stop = end % (bytes.length + 1);
      let whole = 0;
      for (let size = 0; whole < texts.length; whole += 1) {
        size += Buffer.byteLength(texts[whole] ?? '');
        if (size > stop) break;
      }
      assert.deepEqual(parse(...cut(bytes.subarray(0, stop), places)), expected.slice(0, whole));
    },
  );
  fc.assert(property, { numRuns: 300 });
});
