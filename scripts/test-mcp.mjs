// npm run test:mcp: the long form of the attacks on MCP endpoints (test/mcp). Prints what was tried and found
// as a table and, as its last line, as JSON; fails unless every figure is there and within its limits.
import { randomInt } from 'node:crypto';
import { chosenFigures, printRows, rowsOf, runReporting } from './figures.mjs';

const { MCP_KILLS = '300', MCP_SEED = String(randomInt(1e9)) } = process.env;

/** Figures that each file reports, with their limits. */
const FIGURES = {
  headers: { file: 'headers-and-bodies', least: { disagreeing: 2_000 }, most: { differing: 0 } },
  'evasions in arguments': { file: 'evasions', least: { forms: 500 }, most: { missed: 0 } },
  'evasions in results': { file: 'evasions', least: { forms: 500 }, most: { missed: 0 } },
  'results in pieces': {
    file: 'results-in-pieces',
    least: { streams: 50, cuts: 10_000 },
    most: { missed: 0 },
  },
  addresses: { file: 'forbidden-addresses', least: { forms: 500 }, most: { connections: 0 } },
  'cuts of clients': { file: 'resumption', least: { cuts: 200 }, most: { lost: 0, doubled: 0 } },
  'cuts of servers': { file: 'misbehaving-servers', least: { cuts: 200 }, most: { lost: 0, doubled: 0 } },
  'token expiry': {
    file: 'upstream-credentials',
    least: { calls: 100, gateways: 2, refreshes: 1 },
    most: { refreshes: 1 },
  },
  stolen: { file: 'stolen', least: { tried: 1_000 }, most: { accepted: 0 } },
  kills: {
    file: 'approved-calls',
    least: { kills: Number(MCP_KILLS) },
    most: { twice: 0, unrecorded: 0, broken_promises: 0 },
  },
  canaries: { file: 'canaries', least: { canaries: 20, places: 6 }, most: { found: 0 } },
  'idle sessions': {
    file: 'idle-sessions',
    least: { sessions: 1_000 },
    most: { kept_bytes_a_session: 1_024 },
  },
  '10 MB results': { file: 'idle-sessions', least: { bytes: 10_000_000 }, most: {} },
};
const [only] = process.argv.slice(2);
const wanted = chosenFigures(FIGURES, only);
const startedAt = performance.now();
const { passed: ran, lines } = runReporting(
  [...new Set(wanted.map(([, { file }]) => `test/mcp/${file}\\.`))],
  {
    regex: '(e2e|kills)-spec\\.ts$',
    report: 'MCP_REPORT',
    environment: { MCP_KILLS, MCP_SEED },
  },
);
const rows = rowsOf(wanted, lines);
console.log(`seed ${MCP_SEED}, Node ${process.versions.node}\n`);
printRows(rows);
const passed = ran && rows.every(({ missed }) => missed.length === 0);
console.log(
  `\n${JSON.stringify({ mcp: only ?? 'all', seed: Number(MCP_SEED), seconds: Math.round((performance.now() - startedAt) / 1000), ...Object.fromEntries(rows.map(({ name, counts }) => [name, counts])), passed })}`,
);
process.exitCode = passed ? 0 : 1;
