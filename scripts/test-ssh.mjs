// npm run test:ssh: the long form of the attacks on SSH connections, and SSH programs of others
// (test/ssh/programs). Prints what was tried and found as a table and, as its last line, as JSON; fails
// unless every figure is there and within its limits. npm run test:ssh -- path-attacks runs one file.
import { randomInt } from 'node:crypto';
import { chosenFigures, printRows, rowsOf, runReporting } from './figures.mjs';

const { SSH_KILLS = '200', SSH_SEED = String(randomInt(1e9)) } = process.env;
const PROGRAMS = 'programs';

/** Figures that each file reports, with their limits. */
const FIGURES = {
  evasions: {
    file: 'evasions',
    least: { forms: 1_000, effective_without_rule: 1_000 },
    most: { effective: 0, unanswered: 0 },
  },
  paths: { file: 'path-attacks', least: { attacks: 500, effective: 500 }, most: { escaped: 0 } },
  cuts: { file: 'cut-outputs', least: { outputs: 50, cuts: 2_000 }, most: { missed: 0, differing: 0 } },
  'cuts on the way': {
    file: 'cut-outputs',
    least: { outputs: 50, cuts: 2_000 },
    most: { missed: 0, unmasked: 0 },
  },
  kills: {
    file: 'killed',
    least: { kills: Number(SSH_KILLS), acknowledged: Number(SSH_KILLS) },
    most: { lost: 0, duplicated: 0, torn: 0, left_open: 0 },
  },
  [PROGRAMS]: { file: PROGRAMS, least: { tried: 1, checks: 1 }, most: { differing: 0 } },
};
const [only] = process.argv.slice(2);
const wanted = chosenFigures(FIGURES, only);
const startedAt = performance.now();
const files = new Set(wanted.map(([, { file }]) => file));
const { passed: ran, lines } = runReporting(
  [...files].map(
    (file) =>
      `(test|src/proxies)/ssh/([a-z]+/)?${file === PROGRAMS ? '[a-z-]+\\.programs-spec' : `${file}\\.`}`,
  ),
  {
    // The specs of `src` with a long form have no ending of their own.
    regex: '((e2e|kills|programs)-spec|cut-outputs\\.spec)\\.ts$',
    report: 'SSH_REPORT',
    environment: { SSH_KILLS, SSH_SEED },
  },
);
const rows = rowsOf(wanted, lines);
console.log(`seed ${SSH_SEED}, Node ${process.versions.node}\n`);
printRows(rows);
const programs = lines.filter(({ program }) => program !== undefined);
const of = (field) =>
  Object.fromEntries(
    programs.filter((line) => line[field] !== undefined).map((line) => [line.program, line[field]]),
  );
const passed = ran && rows.every(({ missed }) => missed.length === 0);
console.log(
  `\n${JSON.stringify({
    ssh: only ?? 'all',
    seed: Number(SSH_SEED),
    seconds: Math.round((performance.now() - startedAt) / 1000),
    ...Object.fromEntries(rows.map(({ name, counts }) => [name, counts])),
    versions: of('versions'),
    absent: of('absent'),
    passed,
  })}`,
);
process.exitCode = passed ? 0 : 1;
