/** 1: could not be done. 2: wrong usage. 3: no companion, or more than one. */
export type ExitCode = 1 | 2 | 3;

/** Ends a command with a message and the next step. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(exitCode: ExitCode, message: string, hint?: string) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}
