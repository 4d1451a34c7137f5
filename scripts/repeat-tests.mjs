// node scripts/repeat-tests.mjs: finds tests that sometimes fail. Runs a suite many times, each time in a
// fresh clone of the last commit, and prints two tables: the runs, and the tests that failed.
//
//   node scripts/repeat-tests.mjs --idle 4 --loaded 3 --shuffled 2 --one-core 1
//       ten runs of `npm test`
//   node scripts/repeat-tests.mjs --script test:portal --idle 3 --loaded 2
//       five runs of another script
//   node scripts/repeat-tests.mjs --here --idle 30 -- test/scim/linking
//       30 runs of one file, in this checkout
//   node scripts/repeat-tests.mjs --here --loaded 20 --shard-of test/scim/linking
//       20 runs of the eighth of the suite that contains the file
//
// --loaded: beside four busy processes. --shuffled: files, and tests within unit files, in random order (the
// table has the seed; repeat it with `npm test -- --randomize --seed=N`). --one-core: on the first core.
// Arguments after `--` are passed to Jest.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const BUSY_PROCESSES = 4;
const SHARDS = 8;
const CONDITIONS = ['idle', 'loaded', 'shuffled', 'one-core'];

const { values: options, positionals: jestArguments } = parseArgs({
  allowPositionals: true,
  options: {
    ...Object.fromEntries(CONDITIONS.map((name) => [name, { type: 'string', default: '0' }])),
    script: { type: 'string', default: 'test' },
    here: { type: 'boolean', default: false },
    'shard-of': { type: 'string' },
  },
});

/** Folder of the log, the result and the clone of each run. */
const results = mkdtempSync(join(tmpdir(), 'repeated-tests-'));

/** One run of the suite. Returns its figures, and what failed in it. */
async function run(number, condition) {
  const folder = join(results, String(number));
  mkdirSync(folder);
  const checkout = options.here ? ROOT : clone(join(folder, 'clone'));
  const seed = randomInt(2 ** 31);
  const load = condition === 'loaded' ? startLoad() : [];
  const startedAt = performance.now();
  try {
    await runScript(checkout, folder, condition, seed);
  } finally {
    for (const busy of load) busy.kill();
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const { tests, failures } = readResult(join(folder, 'result.json'), checkout);
  if (!options.here) rmSync(checkout, { recursive: true, force: true });
  return { number, condition, seed, seconds, tests, failures };
}

/** A clone of the last commit with its packages, as a newcomer has it. */
function clone(folder) {
  execFileSync('git', ['clone', '--quiet', ROOT, folder]);
  execFileSync('npm', ['ci', '--silent'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}

function startLoad() {
  return Array.from({ length: BUSY_PROCESSES }, () => spawn(process.execPath, ['-e', 'for (;;);']));
}

function runScript(checkout, folder, condition, seed) {
  const command = [
    ...(condition === 'one-core' ? ['taskset', '-c', '0'] : []),
    'npm',
    'run',
    options.script,
    '--',
    '--json',
    `--outputFile=${join(folder, 'result.json')}`,
    ...(condition === 'shuffled' ? ['--randomize', `--seed=${seed}`] : []),
    ...shardArguments(),
    ...jestArguments,
  ];
  const log = createWriteStream(join(folder, 'log'));
  const child = spawn(command[0], command.slice(1), {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a terminal, Jest would stop at questions and draw its progress. `CI` prevents this.
    env: { ...process.env, CI: 'true' },
  });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => log.end(resolve));
  });
}

/** Returns the argument that selects one of Jest's eight shards: the shard with the file of `--shard-of`. */
function shardArguments() {
  const file = options['shard-of'];
  if (file === undefined) return [];
  for (let shard = 1; shard <= SHARDS; shard += 1) {
    const argument = `--shard=${shard}/${SHARDS}`;
    const { stdout } = spawnSync('npx', ['jest', '--listTests', argument], { cwd: ROOT, encoding: 'utf8' });
    if (stdout.includes(`/${file}`)) return [argument];
  }
  throw new Error(`no test file begins with ${file}`);
}

function readResult(file, checkout) {
  if (!existsSync(file))
    return { tests: 0, failures: [{ test: 'the run itself', why: 'it has no result: see its log' }] };
  const { numTotalTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return { tests: numTotalTests, failures: testResults.flatMap((result) => failuresOf(result, checkout)) };
}

/**
 * Returns the failed tests of a file, or the file itself if it failed without a failed test (not loaded, or
 * left open).
 */
function failuresOf({ name, status, message, assertionResults }, checkout) {
  const path = relative(checkout, name);
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => ({ test: `${path}: ${test.fullName}`, why: firstLine(test.failureMessages[0] ?? '') }));
  return failed.length > 0 || status !== 'failed' ? failed : [{ test: path, why: firstLine(message) }];
}

function firstLine(text) {
  const lines = stripVTControlCharacters(text).split('\n');
  return (lines.find((line) => line.trim() !== '') ?? '').trim().slice(0, 160);
}

function row(cells) {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

function printFailures(runs) {
  const found = new Map();
  for (const { number, failures } of runs)
    for (const { test, why } of failures) found.set(test, [...(found.get(test) ?? []), { number, why }]);
  if (found.size === 0) return;
  console.log(`\n${row(['failed', 'in runs', 'why'])}\n${row(['---', '---', '---'])}`);
  for (const [test, times] of found)
    console.log(row([test, times.map(({ number }) => number).join(', '), times[0].why]));
}

const plan = CONDITIONS.flatMap((condition) =>
  Array.from({ length: Number(options[condition]) }, () => condition),
);
if (plan.length === 0)
  throw new Error(`say how many runs: ${CONDITIONS.map((name) => `--${name} N`).join(' ')}`);
console.log(`logs and results: ${results}\n`);
console.log(
  `${row(['run', 'condition', 'seed', 'seconds', 'tests', 'failed'])}\n${row(['---', '---', '---', '---', '---', '---'])}`,
);
const runs = [];
for (const [index, condition] of plan.entries()) {
  const { number, seed, seconds, tests, failures } = await run(index + 1, condition);
  runs.push({ number, failures });
  const shownSeed = condition === 'shuffled' ? seed : '';
  console.log(row([number, condition, shownSeed, seconds, tests, failures.length]));
}
printFailures(runs);
process.exitCode = runs.some(({ failures }) => failures.length > 0) ? 1 : 0;
