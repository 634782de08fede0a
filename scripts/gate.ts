/** The requirement gate: every id is cited by a test or planned with a reason, and no test cites an unknown id. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIREMENTS } from '../test/requirements.ts';

const known = new Map(REQUIREMENTS.map((requirement) => [requirement.id, requirement]));
const cited = new Map<string, string[]>();
const files = ['packages', 'editors', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);
for (const file of files.filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))) {
  // Only titles count: an id in a comment proves nothing.
  for (const [, title] of readFileSync(file, 'utf8').matchAll(/\b(?:test|it|describe|scenario)\(\s*(['"`][^\n]*)/g)) {
    for (const [, id] of title?.matchAll(/\[([A-Z]{3,4}-\d+)\]/g) ?? []) {
      if (id) cited.set(id, [...(cited.get(id) ?? []), file]);
    }
  }
}

const unknown = [...cited].filter(([id]) => !known.has(id));
const uncited = REQUIREMENTS.filter(({ id, planned }) => !cited.has(id) && planned === undefined);
const overdue = REQUIREMENTS.filter(({ id, planned }) => cited.has(id) && planned !== undefined);
const planned = REQUIREMENTS.filter((requirement) => requirement.planned !== undefined);

for (const [reason, ids] of Map.groupBy(planned, (requirement) => requirement.planned)) {
  console.log(`planned: ${ids.map(({ id }) => id).join(' ')}: ${reason}`);
}
for (const [id, files] of unknown) console.error(`unknown: ${id} is cited by ${[...new Set(files)].join(', ')}`);
for (const { id, behaviour } of uncited) console.error(`no test cites ${id}: ${behaviour}`);
for (const { id } of overdue) console.error(`${id} is cited by a test but still listed as planned`);
console.log(
  `${REQUIREMENTS.length} requirements: ${cited.size} cited, ${planned.length} planned, ${uncited.length} missing`,
);
if (unknown.length + uncited.length + overdue.length > 0) process.exitCode = 1;
