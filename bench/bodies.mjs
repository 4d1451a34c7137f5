// How long one request holds the event loop of a gateway: the worst bodies of each route, long scripts, and large lists.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyOperations, bodyShapes } from './bodies/shapes.mjs';
import { startGateway } from './gateway.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ONLY = process.env.BENCH_OPERATIONS?.split(',');
const SCRIPT_MB = Number(process.env.BENCH_SCRIPT_MB ?? 64);
const LISTED = Number(process.env.BENCH_LISTED ?? 1_000);
const NOTHING = '00000000-0000-4000-8000-000000000000';
const MEBIBYTE = 1024 * 1024;

const document = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'openapi.json'), 'utf8'));

export default async function bench() {
  const port = await freePort();
  const gateway = await startGateway(['--import', join(import.meta.dirname, 'bodies', 'loop-watch.mjs')], {
    BENCH_LOOP_PORT: String(port),
    BODY_LIMIT_MB: String(SCRIPT_MB + 1),
    REQUEST_SECONDS: '600',
  });
  const heldMs = async () => Number(await (await fetch(`http://127.0.0.1:${port}/`)).text());
  /** The median of some rounds: what else the machine does makes single ones longer. */
  const measure = async (work) => {
    const figures = [];
    for (let round = 0; round < ROUNDS; round++) {
      await heldMs();
      await work();
      figures.push(await heldMs());
    }
    return figures.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
  };
  const send = async (method, path, body) => {
    const response = await fetch(`${gateway.origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });
    await response.arrayBuffer();
    if (response.status >= 500) console.log(`${method} ${path}: ${response.status}`);
    return response.status;
  };
  try {
    // Compiled, and with its caches filled.
    for (let round = 0; round < 20; round++)
      await send('POST', '/groups', JSON.stringify({ name: `warm${round}` }));
    const idle = await measure(() => delay(200));
    const rows = [
      ...(await bodies(measure, send)),
      ...(await requests(measure, send)),
      ...(await scripts(measure, send, gateway)),
      ...(await lists(measure, send, gateway)),
    ].sort((a, b) => b.ms - a.ms);
    console.log(`milliseconds that the event loop was held, median of ${ROUNDS}; idle: ${idle.toFixed(1)}`);
    for (const { name, ms } of rows.slice(0, 25)) console.log(`${ms.toFixed(1).padStart(8)}  ${name}`);
    const worst = (kind) => Math.max(0, ...rows.filter((row) => row.kind === kind).map(({ ms }) => ms));
    const kinds = [...new Set(rows.map(({ kind }) => kind))];
    return {
      requests: rows.length,
      idleMs: round(idle),
      worstMs: Object.fromEntries(kinds.map((kind) => [kind, round(worst(kind))])),
      ratios: { worstToPromise: round(worst('body') / 50) },
    };
  } finally {
    await gateway.stop();
  }
}

async function bodies(measure, send) {
  const rows = [];
  for (const operation of bodyOperations(document)) {
    if (ONLY !== undefined && !ONLY.includes(operation.id)) continue;
    const path = operation.path.replaceAll(/\{\w+\}/g, NOTHING);
    for (const { name, body } of bodyShapes(document, operation)) {
      const ms = await measure(() => send(operation.method, path, body));
      rows.push({ kind: 'body', name: `${operation.id}: ${name}`, ms });
    }
  }
  return rows;
}

/** Many query parameters: as many as headers of 16 KiB hold. */
async function requests(measure, send) {
  const queries = { 'unknown parameters': 'a&', 'one parameter': 'page=1&', 'broken parameters': '%zz&' };
  const rows = [];
  for (const [name, pair] of Object.entries(queries)) {
    const path = `/users?${pair.repeat(Math.floor(15_000 / pair.length))}`;
    rows.push({ kind: 'query', name: `query: ${name}`, ms: await measure(() => send('GET', path)) });
  }
  return rows;
}

/** Scripts of the largest size, for a connection that does not exist: what the edge costs. */
async function scripts(measure, send) {
  const size = SCRIPT_MB * MEBIBYTE;
  const texts = {
    letters: () => 'x'.repeat(size - 1_000),
    'wide characters': () => '\u{1F4A9}'.repeat((size - 1_000) / 4),
    'Cyrillic letters': () => 'ж'.repeat((size - 1_000) / 2),
    'escaped line breaks': () => '\n'.repeat((size - 1_000) / 2),
  };
  const rows = [];
  for (const [name, text] of Object.entries(texts)) {
    const body = JSON.stringify({ connection: 'of-nobody', script: text() });
    const ms = await measure(() => send('POST', '/sessions', body));
    rows.push({ kind: 'script', name: `createSession: ${SCRIPT_MB} MB of ${name}`, ms });
  }
  return rows;
}

/** Full pages of the lists, with as much in each item as it may have. */
async function lists(measure, send, { call }) {
  const description = 'd'.repeat(4_000);
  const words = Array.from({ length: 1_000 }, (_, index) => `a word that is denied ${index}`);
  for (let index = 0; index < LISTED; index++) {
    await call('POST', '/attributes', { name: `listed${index}`, description });
    if (index % 5 === 0)
      await call('POST', '/guardrails', {
        name: `listed${index}`,
        description,
        input: { rules: [{ type: 'deny_words_list', words, pattern_regex: '' }] },
      });
  }
  const rows = [];
  for (const path of ['/attributes', '/guardrails', '/audit/logs', '/openapi.json', '/openapi.yaml'])
    rows.push({ kind: 'list', name: `GET ${path}`, ms: await measure(() => send('GET', path)) });
  return rows;
}

const round = (value) => Math.round(value * 100) / 100;

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
