export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Log = (level: LogLevel, message: string) => void;

const MAX_MESSAGE = 2000;

/** Wraps a log so that no secret can pass, whoever writes the message. Cut only after that: half a secret is one too. */
export function redacting(log: Log, secrets: () => Iterable<string>): Log {
  return (level, message) => {
    let clean = message;
    for (const secret of secrets()) clean = clean.replaceAll(secret, '[secret]');
    log(level, clean.slice(0, MAX_MESSAGE));
  };
}
