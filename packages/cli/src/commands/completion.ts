import { parse, usage } from '../arguments.ts';
import { SHELLS } from '../completion/shells.ts';
import { commandSpecs } from '../completion/spec.ts';

export async function completion(args: string[]): Promise<number> {
  const { positionals } = parse('completion', args, {}, 1);
  const [shell] = positionals;
  const known = Object.keys(SHELLS);
  const script = shell !== undefined && Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (!script)
    throw usage(
      'completion',
      shell === undefined ? `which shell? ${known.join(', ')}` : `"${shell}" is none of ${known.join(', ')}`,
    );
  process.stdout.write(script(commandSpecs()));
  return 0;
}
