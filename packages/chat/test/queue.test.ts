import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PromptQueue } from '../src/acp/queue.ts';

const prompt = (id: string) => ({ id, blocks: [{ type: 'text' as const, text: id }] });

test('[ACP-2] one runs, the others wait in order; the running one cannot be taken back', () => {
  const queue = new PromptQueue();
  for (const id of ['a', 'b', 'c', 'd']) queue.add(prompt(id));
  assert.equal(queue.next()?.id, 'a');
  assert.equal(queue.next(), undefined, 'not while one runs');
  assert.deepEqual(
    queue.waiting.map(({ promptId, text }) => [promptId, text]),
    [
      ['b', 'b'],
      ['c', 'c'],
      ['d', 'd'],
    ],
  );
  assert.equal(queue.takeBack('a'), false);
  assert.equal(queue.takeBack('c'), true);
  assert.equal(queue.takeBack('c'), false);
  queue.done();
  assert.deepEqual([queue.next()?.id, queue.waiting.length], ['b', 1]);
});

test('[ACP-2] whatever is done in whatever order: never two at once, each at most once, first come first served', () => {
  const steps = fc.array(fc.constantFrom('add', 'next', 'done', 'take'), { maxLength: 60 });
  const property = fc.property(steps, (list) => {
    const queue = new PromptQueue();
    const ran: number[] = [];
    let added = 0;
    let running = false;
    for (const step of list) {
      if (step === 'add') {
        added += 1;
        queue.add(prompt(String(added)));
      }
      if (step === 'done') {
        queue.done();
        running = false;
      }
      if (step === 'take') queue.takeBack(queue.waiting.at(-1)?.promptId ?? '');
      if (step === 'next') {
        const next = queue.next();
        assert.ok(!(running && next), 'two at once');
        if (next) ran.push(Number(next.id));
        running ||= next !== undefined;
      }
    }
    assert.deepEqual(
      ran,
      ran.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(ran).size, ran.length);
  });
  fc.assert(property);
});
