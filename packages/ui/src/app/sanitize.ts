const ALLOWED = new Set(
  'p pre code em strong del ul ol li br hr h1 h2 h3 h4 h5 h6 blockquote span table thead tbody tr th td'.split(' '),
);

/**
 * The HTML of a comment that somebody wrote into a file: its structure stays, and nothing that loads, links or runs.
 * Every `<` of the result is one that is written here, so there is nothing for a parser to see otherwise.
 */
export function sanitize(html: string): string {
  return html.replace(/<(\/?)([a-z][a-z0-9]*)([^<>]*)>|</gi, (_whole, end?: string, name?: string, rest?: string) => {
    if (name === undefined) return '&lt;';
    const tag = name.toLowerCase();
    if (!ALLOWED.has(tag)) return '';
    const colours = end ? undefined : /^ class="([^"'<>&]*)"$/.exec(rest ?? '')?.[1];
    return colours === undefined ? `<${end}${tag}>` : `<${tag} class="${colours}">`;
  });
}
