import { parse, usage } from '../arguments.ts';
import { type Diagnosis, diagnose, type Finding, isIll, type Severity } from '../doctor/index.ts';
import { paint, printable, printJson, shortPath } from '../print.ts';
import { AGENTS, findAgent } from '../run/agents.ts';
import { canAsk, confirm } from '../run/ask.ts';

const OPTIONS = { fix: { type: 'boolean', default: false }, yes: { type: 'boolean', default: false } } as const;

const MARKS: Readonly<Record<Severity, readonly [string, Parameters<typeof paint>[0]]>> = {
  error: ['✗', 'red'],
  warning: ['!', 'yellow'],
  note: ['·', 'dim'],
};

export async function doctor(args: string[]): Promise<number> {
  const { values, positionals } = parse('doctor', args, OPTIONS, 1);
  const [name] = positionals;
  const agent = findAgent(name);
  if (name !== undefined && !agent)
    throw usage('doctor', `"${name}" is none of ${AGENTS.map((each) => each.id).join(', ')}`);
  if (values.yes && !values.fix) throw usage('doctor', '--yes goes with --fix');
  const look = () => diagnose(agent ? { agent: agent.id } : {});
  let diagnoses = await look();
  if (values.fix) {
    const repaired = await repair(diagnoses, values.yes);
    if (repaired > 0) diagnoses = await look();
  }
  if (values.json) printJson(diagnoses.map(forJson));
  else for (const [i, diagnosis] of diagnoses.entries()) printDiagnosis(diagnosis, i === 0);
  return isIll(diagnoses) ? 1 : 0;
}

/** Gives how many things were repaired; each is said, on standard error because the output may be JSON. */
async function repair(diagnoses: readonly Diagnosis[], yes: boolean): Promise<number> {
  let done = 0;
  const seen = new Set<string>();
  for (const { fix, id } of diagnoses.flatMap((diagnosis) => diagnosis.findings)) {
    if (!fix || seen.has(fix.what)) continue;
    seen.add(fix.what);
    if (!fix.ours && !yes) {
      if (!canAsk()) {
        console.error(`${id}: not repaired, because nobody can be asked (--yes): ${printable(fix.what)}`);
        continue;
      }
      if (!(await confirm(`${id}: ${printable(fix.what)}?`))) continue;
    }
    try {
      await fix.apply();
      done += 1;
      console.error(`${id}: done, ${printable(fix.what)}`);
    } catch (error) {
      console.error(`${id}: failed, ${printable(fix.what)}: ${printable((error as Error).message)}`);
    }
  }
  return done;
}

function printDiagnosis(diagnosis: Diagnosis, isFirst: boolean): void {
  const { name, program, looks, candidates, chosen, why, findings } = diagnosis;
  const version = program?.version ? ` ${program.version}` : '';
  if (!isFirst) console.log('');
  console.log(`${paint('bold', name)}${version}${program ? paint('dim', `  ${shortPath(program.path)}`) : ''}`);
  if (program || findings.length > 1) {
    for (const { where, found } of looks) {
      const place = where.startsWith('/') ? shortPath(where) : where;
      console.log(paint('dim', `  looks at ${place}: ${printable(found)}`));
    }
    for (const { candidate, verdict } of candidates) {
      const who = `${candidate.ide?.displayName ?? 'unnamed'}, port ${candidate.port ?? '?'}, ${candidate.folders.map(shortPath).join(', ') || 'no folder'}`;
      const isChosen = candidate === chosen;
      console.log(
        `  finds ${printable(who)}: ${isChosen ? `${paint('green', 'chosen')}, ${printable(why)}` : paint('dim', printable(verdict))}`,
      );
    }
    if (!chosen) console.log(paint('dim', `  chooses none: ${printable(why)}`));
  }
  for (const finding of findings) printFinding(finding);
  if (program && findings.length === 0) console.log(`  ${paint('green', '✓')} nothing stands in the way`);
}

function printFinding({ id, severity, evidence, remedy, fix }: Finding): void {
  const [mark, style] = MARKS[severity];
  console.log(`  ${paint(style, `${mark} ${id}`)}  ${printable(evidence)}`);
  console.log(`      → ${printable(remedy)}${fix ? paint('dim', '  (--fix)') : ''}`);
}

/** Tokens stay where they are. */
function forJson({ findings, candidates, chosen, ...rest }: Diagnosis) {
  const bare = (candidate: Diagnosis['chosen']) => {
    if (!candidate) return undefined;
    const { token, ...others } = candidate;
    return { ...others, hasToken: token !== undefined };
  };
  return {
    ...rest,
    chosen: bare(chosen),
    candidates: candidates.map(({ candidate, verdict }) => ({ ...bare(candidate), verdict })),
    findings: findings.map(({ fix, ...finding }) => ({
      ...finding,
      ...(fix ? { fix: fix.what, ours: fix.ours } : {}),
    })),
  };
}
