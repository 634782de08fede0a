import { CONTAINER_MARKS, type PublishedDialect } from '@tandem/core';

/** What tells Gemini CLI in a container that its editor runs in there too. */
const EDITOR_INSIDE = ['SSH_CONNECTION', 'REMOTE_CONTAINERS', 'VSCODE_REMOTE_CONTAINERS_SESSION'];

/** The variables for the terminals of a window. */
export function terminalVariables(
  published: readonly Pick<PublishedDialect, 'dialect' | 'environment' | 'error'>[],
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): Readonly<Record<string, string>> {
  const offered = published.filter((each) => each.error === undefined);
  const variables: Record<string, string> = Object.assign({}, ...offered.map((each) => each.environment));
  const offers = (id: string) => offered.some((each) => each.dialect.id === id);
  // In a terminal of VS Code it would install its own extension, unasked, beside this one.
  if (offers('claude')) variables.CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL = '1';
  // In a container it would look for its editor on the host; this editor's terminals are where the editor is.
  if (offers('gemini') && CONTAINER_MARKS.some(exists) && EDITOR_INSIDE.every((name) => !env[name])) {
    variables.VSCODE_REMOTE_CONTAINERS_SESSION = '1';
  }
  return variables;
}
