/**
 * Deny globs as one regular expression. Written by hand because the library for it costs more start-up time than all
 * of the rest of the light shell; the tests compare it with that library.
 *
 * As in a .gitignore: without a slash it is a name anywhere; a folder is meant with all below it. `*` and
 * `?` stay within a name, `**` crosses them, `{a,b}` and `[a-z]` choose. Case is ignored, because two of three file
 * systems ignore it.
 */
export function compileGlobs(patterns: readonly string[]): RegExp {
  const sources = patterns.filter((pattern) => pattern !== '').map(expand);
  return sources.length === 0 ? /^(?!)/ : new RegExp(`^(?:${sources.join('|')})$`, 'i');
}

function expand(pattern: string): string {
  const bare = pattern.replace(/(?:\/(?:\*\*)?)+$/, '');
  const anchored = bare.startsWith('/') || bare.startsWith('**/') ? bare : `**/${bare}`;
  return `${translate(anchored)}(?:/.*)?`; // what matches a folder matches all below it
}

function translate(glob: string): string {
  let source = '';
  let depth = 0;
  for (let i = 0; i < glob.length; i += 1) {
    const rest = glob.slice(i);
    const character = glob[i] ?? '';
    const set = /^\[!?[^\]/]+\]/.exec(rest)?.[0];
    if (rest.startsWith('**/')) {
      source += '(?:.*/)?';
      i += 2;
    } else if (rest.startsWith('**')) {
      source += '.*';
      i += 1;
    } else if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (set) {
      source += `[${set.startsWith('[!') ? '^/' : ''}${escapeSet(set)}]`;
      i += set.length - 1;
    } else if (character === '{' && rest.includes('}')) {
      source += '(?:';
      depth += 1;
    } else if (character === '}' && depth > 0) {
      source += ')';
      depth -= 1;
    } else if (character === ',' && depth > 0) source += '|';
    else source += character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
  }
  return depth === 0 ? source : escapeAll(glob); // an unclosed brace is meant literally
}

function escapeSet(set: string): string {
  return set.slice(set.startsWith('[!') ? 2 : 1, -1).replace(/[\\^[\]]/g, '\\$&');
}

function escapeAll(glob: string): string {
  return glob.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
