// Requests per second of the specification's GET endpoints, compared with a bare Express handler with the same bytes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startGateway } from './gateway.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 50);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 30);
const CONNECTIONS = 16;
const AIMS = { 'mcp-catalog': 0.7, guardrail: 0.5, 'access-request-rules': 0.5, session: 0.5 };

export default async function rest() {
  const gateway = await startGateway();
  const yardstick = part('bare-express');
  try {
    const paths = await seed(gateway);
    const bodies = {};
    for (const path of Object.values(paths)) bodies[`/api${path}`] = await gateway.call('GET', path);
    yardstick.send(bodies);
    const [port] = await once(yardstick, 'message');
    const bare = `http://127.0.0.1:${port}`;
    const headers = { authorization: `Bearer ${gateway.token}` };

    const rows = [];
    for (const [name, path] of Object.entries(paths)) {
      rows.push(await compare(name, `/api${path}`, gateway.origin, bare, headers));
    }
    print(rows);
    return { ratios: Object.fromEntries(rows.map(({ name, ratio }) => [name, ratio])) };
  } finally {
    yardstick.kill();
    await gateway.stop();
  }
}

/** Alternates between both sides, so that other load on the machine affects both. */
async function compare(name, path, gateway, bare, headers) {
  const rounds = { gateway: [], bare: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const [side, origin] of Object.entries({ gateway, bare })) {
      const result = await load({
        url: `${origin}${path}`,
        headers,
        connections: CONNECTIONS,
        duration: SECONDS,
      });
      if (result.failed > 0) throw new Error(`${name}: ${result.failed} requests failed`);
      // The first round is for the compilers to warm up.
      if (round >= 0) rounds[side].push(result);
    }
  }
  const [ours, theirs] = [median(rounds.gateway, 'perSecond'), median(rounds.bare, 'perSecond')];
  return { name, ours, theirs, ratio: round2(ours / theirs), p99: median(rounds.gateway, 'p99') };
}

async function load(options) {
  const child = part('load');
  child.send(options);
  const [result] = await once(child, 'message');
  return result;
}

function part(name) {
  return fork(join(import.meta.dirname, `${name}.mjs`), {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  });
}

/** One of each thing to read: ten access rules, a guardrail, and the session of a small script. */
export async function seed({ call, postgres }) {
  await postgres.createDatabase('target');
  const url = new URL(postgres.url('target'));
  const secret = {
    HOST: url.hostname,
    PORT: url.port,
    USER: url.username,
    PASS: url.password,
    DB: 'target',
    SSLMODE: 'disable',
  };
  const connection = { name: 'target', type: 'database', subtype: 'postgres', secret };
  const { id: connectionId } = JSON.parse(await call('POST', '/connections', connection));
  const entry = {
    type: 'deny_words_list',
    words: ['DROP TABLE', 'TRUNCATE'],
    pattern_regex: '',
    message: 'Not here.',
  };
  const guardrail = { name: 'keep-tables', input: { rules: [entry] }, connection_ids: [connectionId] };
  const { id: guardrailId } = JSON.parse(await call('POST', '/guardrails', guardrail));
  const script = { connection: 'target', script: 'SELECT n FROM generate_series(1, 20) AS n' };
  const { session_id: sessionId } = JSON.parse(await call('POST', '/sessions', script));
  for (let n = 0; n < 10; n++) {
    await call('POST', '/access-requests/rules', {
      name: `rule-${n}`,
      access_type: 'command',
      attributes: [`attribute-${n}`],
      reviewers_groups: ['dba'],
      min_approvals: 1,
    });
  }
  return {
    'mcp-catalog': '/mcp-catalog',
    guardrail: `/guardrails/${guardrailId}`,
    'access-request-rules': '/access-requests/rules',
    session: `/sessions/${sessionId}`,
  };
}

function print(rows) {
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each, ${CONNECTIONS} connections, Node ${process.versions.node}; medians\n`,
  );
  console.log('GET                     gateway/s    bare/s   ratio   aim   p99 ms');
  for (const { name, ours, theirs, ratio, p99 } of rows) {
    const cells = [Math.round(ours).toString().padStart(9), Math.round(theirs).toString().padStart(9)];
    cells.push(ratio.toFixed(2).padStart(7), AIMS[name].toFixed(2).padStart(5), p99.toFixed(0).padStart(8));
    console.log(`${name.padEnd(22)} ${cells.join(' ')}`);
  }
  console.log();
}

function median(results, key) {
  const sorted = results.map((result) => result[key]).sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function round2(value) {
  return Math.round(value * 100) / 100;
}

function bounded(name, fallback, min, max) {
  const value = Number(process.env[name] ?? fallback);
  return Number.isInteger(value) && value >= min && value <= max ? value : fallback;
}
