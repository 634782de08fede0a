import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bench } from './support/bench.ts';
import { englishIn } from './support/chinese.ts';
import { press, shows } from './support/steps.ts';

const text = Array.from({ length: 80 }, (_, i) => `let x${i} = ${i};`).join('\n');

test('a browser in Chinese gets the whole page in Chinese, and nothing of it is left in English', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.ts': `${text}\n`, 'b.ts': 'b\n' } });
  const agent = await bench.agent();
  const page = await bench.page({ locale: 'zh-CN' });
  const body = page.locator('body');
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const left: Record<string, readonly string[]> = {};
  const folder = bench.world.workspace.split('/').at(-1) ?? '';
  const check = async (where: string, words: string | RegExp) => {
    await shows(where, body, words);
    const english = (await englishIn(body)).filter((each) => /[A-Za-z]{3}/.test(each.replace(folder, '')));
    if (english.length > 0) left[where] = english;
  };
  assert.equal(await page.evaluate('document.documentElement.lang'), 'zh-CN');
  await check('the welcome', '在终端中进入此文件夹并启动智能体');
  await button('新建文件').click();
  await check('a name', '显示被忽略的文件');
  await press(page, 'Escape', 'F1');
  await check('the keys', '转到等待答复处或输入框');
  await press(page, 'Escape', 'Control+p');
  await page.getByRole('combobox').fill('zzz');
  await check('no such file', '没有这样的文件名。');
  await page.getByRole('combobox').fill('a.ts');
  await page.getByRole('option').first().waitFor();
  await press(page, 'Enter');
  await page.getByRole('tab', { name: 'a.ts' }).waitFor();
  await press(page, 'Alt+0', 'Control+f');
  await check('the search', /全部替换/);
  await press(page, 'Escape', 'Control+Home');
  await page.keyboard.type('typed');
  await page.getByRole('tab', { name: '未保存' }).waitFor();
  await press(page, 'Alt+w');
  await check('a question', '是否保存 a.ts？');
  await button('取消').click();
  for (const [key, words] of [
    ['3', '自 '],
    ['4', '智能体知道打开的文件和你所选的内容。'],
    ['5', '没有问题。'],
    ['2', '没有等待中的评审。'],
  ] as const) {
    await press(page, `Alt+${key}`);
    await check(`panel ${key}`, words);
  }

  const proposed = `${text.replace('x3 = 3', 'x3 = 33').replace('x70 = 70', 'x70 = 7')}\n`;
  const filePath = bench.path('b.ts');
  await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: proposed });
  await check('it is announced', 'Gemini CLI 提议更改 a.ts');
  await press(page, 'Alt+.');
  await shows('it is compared', body, '共 3 处更改');
  await check('a review', '行未更改');
  await button(/^备注/).click();
  await page.getByRole('textbox', { name: /的备注$/ }).fill('好');
  await check('a note', '完成');
  await button('完成').click();
  await press(page, 'F7');
  await page.locator('.tandem-review-voice', { hasText: '处更改（共 3 处）' }).waitFor();
  await button('拒绝').click();
  await check('it is over', '你的备注，可作为给智能体的提示');
  await agent.call('openDiff', { filePath, newContent: 'c\n' });
  await button('下一个评审').click();
  await shows('the next one', body, 'b.ts');
  await agent.call('closeDiff', { filePath, suppressNotification: true });
  await check('taken back', /b\.ts：/);

  await press(page, 'Alt+4');
  await button('显示已发送的内容').click();
  await check('the ledger', /已发送的内容[\s\S]*上下文/);
  await press(page, 'Alt+6');
  await check('the chat', '与智能体对话');
  await bench.workbench.stop();
  await check('it is away', '工作台已断开。');
  assert.deepEqual(left, {});
});
