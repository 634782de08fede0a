import type { Conversation, Item, ToolCall } from '@tandem/chat/view';
import { heard, t } from '../l10n/t.ts';
import { diffLines, linesOf } from '../review/diff.ts';

const MAX_OUTPUT = 10_000;

/** The whole conversation as a text that people can read and keep. */
export function markdownOf(title: string, agentName: string, conversation: Conversation): string {
  const parts = conversation.items.map((item) => part(item, agentName)).filter((text) => text !== '');
  return `# ${title.replaceAll('\n', ' ')}\n\n${parts.join('\n\n')}\n`;
}

export function fileNameOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${words.slice(0, 8).join('-').slice(0, 60) || t('conversation')}.md`;
}

function part(item: Item, agentName: string): string {
  switch (item.type) {
    case 'message': {
      const attached = (item.attachments ?? []).map((each) =>
        each.type === 'file' ? `\`${each.path}\`` : each.type === 'image' ? t('a picture') : each.label,
      );
      const along = attached.length > 0 ? `\n\n${t('Along with it: {0}', attached.join(t(', ')))}` : '';
      return `## ${item.role === 'user' ? t('You') : agentName}\n\n${item.text.trim()}${along}`;
    }
    case 'thought':
      return quoted(`*${t('Thought:')}* ${item.text.trim()}`);
    case 'tool':
      return tool(item.call);
    case 'plan':
      return item.entries
        .map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${content.replaceAll('\n', ' ')}`)
        .join('\n');
    case 'notice':
      return quoted(heard(item.notice.message));
    case 'end':
      return quoted(t('The turn ended: {0}', `${item.reason}${item.message ? `. ${heard(item.message)}` : ''}`));
  }
}

function tool(call: ToolCall): string {
  const title = `**${call.title.replaceAll('\n', ' ') || call.kind}** (${t(call.status)})`;
  const bodies = call.content.map((content) => {
    if (content.type === 'diff') return fenced(patchOf(content.oldText, content.newText), 'diff', content.path);
    return content.type === 'text' ? fenced(content.text) : '';
  });
  const shell = call.shell ? fenced(call.shell.output) : '';
  return [title, ...(shell === '' ? bodies : [shell])].filter((text) => text !== '').join('\n\n');
}

function patchOf(before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  return diffLines(a, b)
    .changes.flatMap(({ fromA, toA, fromB, toB }) => [
      `@@ -${fromA + 1},${toA - fromA} +${fromB + 1},${toB - fromB} @@`,
      ...a.slice(fromA, toA).map((line) => `-${line}`),
      ...b.slice(fromB, toB).map((line) => `+${line}`),
    ])
    .join('\n');
}

function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ');
}

/** With a fence longer than any in the text. */
function fenced(text: string, language = '', heading = ''): string {
  const kept =
    text.length > MAX_OUTPUT ? `${text.slice(0, MAX_OUTPUT)}\n… ${t('({0} characters)', text.length)}` : text;
  const longest = Math.max(2, ...(kept.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const above = heading === '' ? '' : `\`${heading}\`\n\n`;
  return `${above}${fence}${language}\n${kept.trimEnd()}\n${fence}`;
}
