import type { SyntaxNode } from '@lezer/common';
import type { ComponentChildren } from 'preact';
import { t } from '../../l10n/t.ts';
import { ScrollBox } from '../scroll-box.tsx';

type Side = 'left' | 'center' | 'right' | undefined;

export interface TableProps {
  readonly node: SyntaxNode;
  readonly text: string;
  readonly inline: (cell: SyntaxNode) => ComponentChildren;
}

export function Table({ node, text, inline }: TableProps) {
  const header = node.getChild('TableHeader');
  const ruler = node.getChild('TableDelimiter');
  const sides = ruler ? sidesOf(text.slice(ruler.from, ruler.to)) : [];
  const cells = (row: SyntaxNode) => columns(row, text, sides.length);
  return (
    <ScrollBox class="table" label={t('Table')}>
      <table>
        {header && (
          <thead>
            <tr>
              {cells(header).map((cell, i) => (
                <th key={i} scope="col" class={sides[i] ?? ''}>
                  {cell && inline(cell)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {node.getChildren('TableRow').map((row) => (
            <tr key={row.from}>
              {cells(row).map((cell, i) => (
                <td key={i} class={sides[i] ?? ''}>
                  {cell && inline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function sidesOf(ruler: string): Side[] {
  const columns = ruler
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|');
  return columns.map((column) => {
    const [left, right] = [column.trim().startsWith(':'), column.trim().endsWith(':')];
    return left && right ? 'center' : right ? 'right' : left ? 'left' : undefined;
  });
}

/** An empty cell has no node: the bars tell where one would be. */
function columns(row: SyntaxNode, text: string, count: number): (SyntaxNode | undefined)[] {
  const found: (SyntaxNode | undefined)[] = new Array(count).fill(undefined);
  let at = text.slice(row.from, row.to).trimStart().startsWith('|') ? -1 : 0;
  for (let child = row.firstChild; child; child = child.nextSibling) {
    if (child.name === 'TableDelimiter') at += 1;
    else if (child.name === 'TableCell' && at >= 0 && at < count) found[at] = child;
  }
  return found;
}
