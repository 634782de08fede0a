// What the manifest promises is what the code has, in both languages.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DIALECTS, SHARING } from '@tandem/core';

const folder = join(import.meta.dirname, '..');
const json = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const manifest = json('package.json');
const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(folder, 'src', name), 'utf8'));
const code = sources.join('\n');

test('every text of the manifest is there in English and Chinese, and none is left over', () => {
  const used = new Set([...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
  for (const name of ['package.nls.json', 'package.nls.zh-cn.json']) {
    assert.deepEqual(Object.keys(json(name)).sort(), [...used].sort(), name);
  }
});

test('every text of the code is there in Chinese, with the same places to fill in', () => {
  const texts = new Set([...code.matchAll(/\bt\(\s*'((?:[^'\\]|\\.)*)'/g)].map((match) => match[1] ?? ''));
  assert.ok(texts.size > 30, 'the texts were found');
  const chinese: Record<string, string> = json('l10n/bundle.l10n.zh-cn.json');
  assert.deepEqual(Object.keys(chinese).sort(), [...texts].sort());
  const places = (text: string) => [...text.matchAll(/\{\d\}|\$\([\w-]+\)/g)].map(String).sort();
  for (const [text, translated] of Object.entries(chinese)) assert.deepEqual(places(translated), places(text), text);
});

test('every command of the manifest is registered, and every one in a menu or on a key is in the manifest', () => {
  const { commands, menus, keybindings } = manifest.contributes;
  const declared: string[] = commands.map((each: { command: string }) => each.command);
  const list = /const commands: .*= \{\n([\s\S]*?)\n {2}\};/.exec(code)?.[1] ?? '';
  const registered = [...list.matchAll(/^ {4}(\w+):/gm)].map((match) => `tandem.${match[1]}`);
  assert.deepEqual([...declared].sort(), registered.sort());
  const used: { command: string }[] = [...Object.values(menus).flat(), ...keybindings] as { command: string }[];
  for (const { command } of used) assert.ok(declared.includes(command), command);
});

test('every setting is read under its own name, with the default it declares', () => {
  const { properties } = manifest.contributes.configuration;
  for (const [name, { default: declared }] of Object.entries<{ default: unknown }>(properties)) {
    const read = new RegExp(`this\\.#\\w+\\('${name.replace('tandem.', '')}', ('\\w*'|[\\w{}[\\]]+)`).exec(code);
    assert.ok(read, `${name} is not read`);
    assert.equal(read[1]?.replaceAll("'", '"'), JSON.stringify(declared), name);
  }
  assert.deepEqual(properties['tandem.sharing'].enum, SHARING);
  const agents = properties['tandem.agents.disabled'].items.enum;
  assert.deepEqual(
    agents,
    DIALECTS.map((dialect) => dialect.id),
  );
});

test('files that the manifest and the walkthrough name exist', () => {
  const { icon, contributes } = manifest;
  const steps: { media: { markdown: string } }[] = contributes.walkthroughs[0].steps;
  for (const file of [icon, 'media/view.svg', ...steps.map((step) => step.media.markdown)]) {
    assert.ok(existsSync(join(folder, file)), file);
  }
});
