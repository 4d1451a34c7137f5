import { type Check, type Findings, passes } from './suite';

/** Result of one scenario, without the gateway and with it. */
export interface Line {
  readonly scenario: string;
  readonly direct: boolean;
  readonly through: boolean;
  /** Reason why the scenario does not count; undefined if it counts. */
  readonly unscored: string | undefined;
  /** Checks of the scenario that are worse through the gateway than directly. */
  readonly differences: readonly Difference[];
}

export interface Difference {
  readonly scenario: string;
  /** Id of the check. */
  readonly id: string;
  /** Status and error message of the check through the gateway. */
  readonly says: string;
}

export function compared(
  scored: readonly string[],
  unscored: ReadonlyMap<string, string>,
  direct: Findings,
  through: Findings,
): Line[] {
  return [...scored, ...unscored.keys()].map((scenario) => ({
    scenario,
    direct: passes(direct.get(scenario)),
    through: passes(through.get(scenario)),
    unscored: unscored.get(scenario),
    differences: differences(scenario, direct, through, !unscored.has(scenario)),
  }));
}

/**
 * Returns the checks that fail through the gateway, and without the gateway either succeed or do not run.
 * `INFO` means that the answer has another form, which the specification also allows. If a check has several
 * results, the worst one counts.
 */
function differences(scenario: string, direct: Findings, through: Findings, isScored: boolean): Difference[] {
  const before = worst(direct.get(scenario));
  const after = worst(through.get(scenario));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [was, is] = [before.get(id)?.status, after.get(id)];
    const isWorse =
      is === undefined
        ? isScored && was === 'SUCCESS'
        : was === 'SUCCESS'
          ? ['FAILURE', 'WARNING', 'SKIPPED'].includes(is.status)
          : is.status === 'FAILURE' && was !== 'FAILURE';
    return isWorse
      ? [{ scenario, id, says: `${is?.status ?? 'absent'} ${is?.errorMessage ?? ''}`.trimEnd() }]
      : [];
  });
}

const ORDER = ['FAILURE', 'WARNING', 'SKIPPED', 'INFO', 'SUCCESS'];

function worst(checks: readonly Check[] = []): ReadonlyMap<string, Check> {
  const found = new Map<string, Check>();
  for (const check of checks) {
    const known = found.get(check.id);
    if (known === undefined || ORDER.indexOf(check.status) < ORDER.indexOf(known.status))
      found.set(check.id, check);
  }
  return found;
}

/** Writes the table to standard error, because Jest prints standard error unchanged. */
export function printTable(title: string, lines: readonly Line[], notes: readonly string[] = []): void {
  const word = (isPassed: boolean): string => (isPassed ? 'passed' : 'failed').padEnd(8);
  const counted = lines.filter(({ unscored }) => unscored === undefined);
  const rows = lines.map(({ scenario, direct, through, unscored }) =>
    `  ${scenario.padEnd(48)}${word(direct)}${word(through)}${unscored === undefined ? '' : `not scored: ${unscored}`}`.trimEnd(),
  );
  const sum = (way: 'direct' | 'through'): string =>
    `${counted.filter((line) => line[way]).length}/${counted.length}`;
  process.stderr.write(
    [
      '',
      `${title}: direct ${sum('direct')}, through the gateway ${sum('through')} of the scored scenarios`,
      `  ${'scenario'.padEnd(48)}${'direct'.padEnd(8)}through`,
      ...rows,
      ...notes.map((note) => `  ${note}`),
      '',
    ].join('\n'),
  );
}
