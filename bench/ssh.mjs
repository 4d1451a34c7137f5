// npm run bench -- ssh: files, commands, keystrokes and idle shells over SSH: directly, through a pump (ssh2
// on both sides, nothing looked at), and through the gateway, without rules and with rules.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from './gateway.mjs';
import { onEnd } from './kit/ends.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { freePort } from './kit/ports.mjs';
import { profiling } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';
import { COLUMNS, GATEWAY_COLUMNS, openColumns } from './ssh/columns.mjs';
import { commands, download, idleShells, keystrokes, upload } from './ssh/measure.mjs';
import { startServer } from './ssh/server.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 3, 1, 100);
const FILE_MB = bounded('BENCH_FILE_MB', 1_000, 1, 100_000);
const BINARY_MB = bounded('BENCH_BINARY_MB', 100, 1, 100_000);
const COMMANDS = bounded('BENCH_COMMANDS', 100, 1, 100_000);
const KEYS = bounded('BENCH_KEYS', 300, 1, 100_000);
const SHELLS = bounded('BENCH_SHELLS', 200, 0, 2_000);
const WANTED = listed('BENCH_COLUMNS', COLUMNS, COLUMNS);

const ROWS = {
  download: { unit: 'MB/s', isMore: true, run: (column) => download(column, 'text', FILE_MB) },
  upload: { unit: 'MB/s', isMore: true, run: (column) => upload(column, 'text', FILE_MB) },
  // Rules take bytes that are no text for characters, most of which are rare.
  download_binary: { unit: 'MB/s', isMore: true, run: (column) => download(column, 'binary', BINARY_MB) },
  upload_binary: { unit: 'MB/s', isMore: true, run: (column) => upload(column, 'binary', BINARY_MB) },
  exec: { unit: 'ms', run: (column) => commands(column, COMMANDS) },
  keystroke: { unit: 'ms', run: (column) => keystrokes(column, KEYS) },
};
const MEASURED = listed('BENCH_ROWS', Object.keys(ROWS), Object.keys(ROWS));

export default async function ssh() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-ssh-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startServer(folder, { text: FILE_MB, binary: BINARY_MB });
  const gateway = WANTED.some((name) => GATEWAY_COLUMNS.includes(name)) ? await startedGateway() : undefined;
  const columns = await openColumns(WANTED, { server, gateway, folder });
  console.log(
    `${ROUNDS} rounds by turns, files of ${FILE_MB} MB, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; medians\n`,
  );
  const figures = {};
  for (const name of MEASURED) {
    const { unit, isMore = false, run } = ROWS[name];
    const found = await byTurns(columns, ROUNDS, run);
    print(name, unit, found);
    for (const [key, value] of Object.entries(ratiosOf(name, isMore, found))) figures[key] = value;
  }
  const memory = SHELLS === 0 ? {} : await memoryOfShells(columns);
  return { ratios: figures, ...memory };
}

async function startedGateway() {
  return startGateway(profiling(), {
    SSH_PROXY_PORT: String(await freePort()),
    SSH_PROXY_CLIENTS: '4000',
    SSH_PROXY_CLIENTS_PER_USER: '4000',
    SSH_PROXY_CLIENTS_PER_CONNECTION: '4000',
  });
}

function print(name, unit, found) {
  const cells = Object.entries(found).map(([column, { value, cost }]) => {
    const processor = Number.isNaN(cost) ? '' : ` (${rounded(cost)} s of processor)`;
    return `${column} ${rounded(value)} ${unit}${processor}`;
  });
  console.log(`${name.padEnd(10)} ${cells.join(', ')}`);
}

/** Throughput as a share of the pump and of the direct way; of times, what the gateway adds to them. */
function ratiosOf(name, isMore, found) {
  const figures = {};
  for (const ours of GATEWAY_COLUMNS.filter((column) => found[column] !== undefined))
    for (const other of ['direct', 'pump'].filter((column) => found[column] !== undefined)) {
      const [one, two] = [found[ours].value, found[other].value];
      if (isMore) figures[`${name}_${ours}_of_${other}`] = rounded(one / two);
      else figures[`${name}_${ours}_ms_more_than_${other}`] = rounded(one - two);
    }
  return figures;
}

async function memoryOfShells(columns) {
  const figures = {};
  for (const [name, column] of Object.entries(columns)) {
    if (column.pid === undefined || name === 'unguarded') continue;
    const { before, idle, after } = await idleShells(column, SHELLS);
    console.log(
      `${SHELLS} idle shells, ${name}: ${rounded(before)} MB before, ${rounded(idle)} with them, ${rounded(after)} after them`,
    );
    figures[`${name}_mb`] = { before: rounded(before), idle: rounded(idle), after: rounded(after) };
  }
  return { shells: SHELLS, ...figures };
}
