/** Arrow keys between the elements of a group: the one that has the keyboard passes it on. */
export function moveAlong(event: KeyboardEvent, selector: string, along: 'row' | 'column' | 'both'): void {
  const group = event.currentTarget as HTMLElement;
  const all = [...group.querySelectorAll<HTMLElement>(selector)];
  const at = all.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const forth = ['ArrowRight', 'ArrowDown'].filter((_, i) => along === 'both' || i === Number(along === 'column'));
  const back = ['ArrowLeft', 'ArrowUp'].filter((_, i) => along === 'both' || i === Number(along === 'column'));
  if (forth.includes(event.key)) all[(at + 1) % all.length]?.focus();
  else if (back.includes(event.key)) all.at(at - 1)?.focus();
  else if (event.key === 'Home') all[0]?.focus();
  else if (event.key === 'End') all.at(-1)?.focus();
  else return;
  event.preventDefault();
}
