// npm run bench -- shortest: runs every bench in its shortest form, to check that it still works. The figures
// mean nothing. A bench must end with its figures and leave no file and no process, also when it fails or is
// stopped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NAMES } from './kit/names.mjs';

const ALL = { BENCH_ROUNDS: '1', BENCH_SECONDS: '1', BENCH_CLIENTS: '1' };
const SHORTEST = {
  admin: { BENCH_USERS: '2000' },
  archive: { BENCH_RECORDINGS: '20', BENCH_RECORDING_MB: '1' },
  bodies: { BENCH_SECONDS: '3', BENCH_SCRIPTS_MB: '1', BENCH_OPERATIONS: 'createAttribute' },
  guardrails: { BENCH_ROUND_MS: '5', BENCH_SLOW_KB: '20' },
  mcp: { BENCH_WARM_UP: '20', BENCH_HELD: '2', BENCH_LARGE_ROUNDS: '1' },
  peers: { BENCH_ROWS: '10000', BENCH_MODES: 'prepared' },
  portal: { BENCH_SESSIONS: '1000', BENCH_ROWS: '100', BENCH_RECORDING_MB: '4', BENCH_RESULT_ROWS: '1000' },
  postgres: { BENCH_ROWS: '10000', BENCH_MODES: 'prepared', BENCH_CONNECTS: '20' },
  scripts: { BENCH_WARM_UP: '0' },
  'second-ways': { BENCH_WAYS: 'direct' },
  sessions: { BENCH_SESSIONS: '1000', BENCH_EXPORT_MB: '2', BENCH_PURGES: '1' },
  silence: { BENCH_CASES: 'statement_10MB', BENCH_COLUMNS: 'direct,guarded' },
  ssh: {
    BENCH_FILE_MB: '1',
    BENCH_BINARY_MB: '1',
    BENCH_COMMANDS: '3',
    BENCH_KEYS: '5',
    BENCH_SHELLS: '2',
  },
  soak: {
    BENCH_MINUTES: '0',
    BENCH_SECONDS: '6',
    BENCH_SCRIPTS: '50',
    BENCH_SESSIONS: '10',
    BENCH_REST: '1',
  },
  workers: { BENCH_WORKERS: '1,2', BENCH_WARM_UP: '16', BENCH_REST_SECONDS: '1' },
};
const LIMIT_MS = 180_000;
/** Number of benches that run in parallel. Each mostly waits, for example for its gateway to start. */
const AT_ONCE = 2;

const faults = [];
const only = process.argv.slice(3);
const checks = NAMES.filter((each) => only.length === 0 || only.includes(each)).map(
  (name) => () => check(name, { ...ALL, ...SHORTEST[name] }, endsWithFigures),
);
checks.push(
  // Must fail, because the program that is measured beside the gateway ends at once.
  () => check('mcp', { ...ALL, BENCH_ERAS: 'legacy', BENCH_MCPPROXYD: '/bin/false' }, fails),
  () => check('rest', { ...ALL, BENCH_SECONDS: '30' }, fails, (child) => child.kill('SIGTERM')),
);
await Promise.all(Array.from({ length: AT_ONCE }, checkNext));
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

/** Runs the remaining checks one after another, until none is left. */
async function checkNext() {
  for (let next; (next = checks.shift()) !== undefined;) await next();
}

/** @param stop called when the bench has started its gateway */
async function check(name, variables, expected, stop) {
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'bench-shortest-'));
  chmodSync(folder, 0o711);
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.mjs'), name], {
    env: { PATH: process.env.PATH, TMPDIR: folder, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (errors += data));
  const ended = once(child, 'close');
  if (stop !== undefined) {
    while (!readdirSync(folder).some((entry) => hasGateway(join(folder, entry)))) await delay(50);
    stop(child);
  }
  const [code] = await ended;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const wrong = [...expected(name, code, output), ...leftovers(folder)];
  rmSync(folder, { recursive: true, force: true });
  console.log(`${name}${expected === fails ? ', failing' : ''}: ${wrong.join('; ') || 'fine'}, ${seconds} s`);
  if (wrong.length > 0)
    faults.push(`${name}: ${wrong.join('; ')}\n${output.slice(-2_000)}\n${errors.slice(-2_000)}`);
}

function endsWithFigures(name, code, output) {
  if (code !== 0) return [`it ended with ${code}`];
  const last = output.trimEnd().split('\n').at(-1);
  try {
    const { bench, ...figures } = JSON.parse(last);
    return bench === name && Object.keys(figures).length > 0 ? [] : [`its last line has no figures: ${last}`];
  } catch {
    return [`its last line is not JSON: ${last}`];
  }
}

function fails(_name, code) {
  return code === 1 ? [] : [`it ended with ${code}, not 1`];
}

function hasGateway(folder) {
  try {
    return readFileSync(join(folder, 'gateway.log'), 'utf8').includes('listening on');
  } catch {
    return false;
  }
}

/** Returns the files in the temporary folder of a bench, and the processes that still use it (Linux only). */
function leftovers(folder) {
  const files = readdirSync(folder).map((entry) => `it left ${entry}`);
  const pids =
    process.platform === 'linux' ? readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)) : [];
  const processes = pids.filter((pid) => {
    try {
      const where = readlinkSync(`/proc/${pid}/cwd`);
      return where.startsWith(folder) || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
  return [...files, ...processes.map((pid) => `process ${pid} still runs`)];
}
