export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Log = (level: LogLevel, message: string) => void;

/** Wraps a log so that no secret can pass, whoever writes the message. */
export function redacting(log: Log, secrets: () => Iterable<string>): Log {
  return (level, message) => {
    let clean = message;
    for (const secret of secrets()) clean = clean.replaceAll(secret, '[secret]');
    log(level, clean);
  };
}
