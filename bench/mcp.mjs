// Calls of an MCP tool through the gateway, judged by guardrails in both directions and recorded, compared with calls of the same server directly.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startGateway } from './gateway.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const CLIENTS = [1, 32];
/** Milliseconds that the gateway may add to the median answer for one client, and the least share of the direct throughput. */
const AIMS = { addedMs: 2, throughput: 0.3 };
const MODERN = '2026-07-28';

export default async function mcp() {
  const gateway = await startGateway([], { MCP_ALLOWED_HOSTS: '127.0.0.1', POSTGRES_PROXY_PORT: '0' });
  const servers = [];
  try {
    const rows = [];
    for (const era of ['modern', 'legacy']) {
      const server = part('mcp-server');
      servers.push(server);
      server.send(era);
      const [port] = await once(server, 'message');
      const direct = `http://127.0.0.1:${port}/mcp`;
      const through = await connect(gateway, era, direct);
      const ways = {
        direct: await call(era, direct, {}),
        gateway: await call(era, through, { authorization: `Bearer ${gateway.token}` }),
      };
      for (const clients of CLIENTS) rows.push(await compare(era, clients, ways));
    }
    print(rows);
    return {
      ratios: Object.fromEntries(rows.map(({ name, ratio }) => [name, ratio])),
      addedMs: Object.fromEntries(rows.map(({ name, addedMs }) => [name, addedMs])),
    };
  } finally {
    for (const server of servers) server.kill();
    await gateway.stop();
  }
}

/** A connection whose calls are judged in both directions. */
async function connect({ origin, call: ask }, era, url) {
  const connection = {
    name: `bench-${era}`,
    type: 'application',
    subtype: 'mcpproxy',
    access_groups: ['*'],
    secret: { REMOTE_URL: url },
  };
  const { id } = JSON.parse(await ask('POST', '/connections', connection));
  const words = (word) => ({
    rules: [{ type: 'deny_words_list', words: [word, `${word} too`], pattern_regex: '' }],
  });
  const guardrail = {
    name: `bench-${era}`,
    connection_ids: [id],
    input: words('drop everything'),
    output: words('secret'),
  };
  await ask('POST', '/guardrails', guardrail);
  return `${origin}/api/mcp/${connection.name}`;
}

/** The request of one call, ready to be sent again and again. */
async function call(era, url, authorization) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...authorization,
  };
  const info = { name: 'bench', version: '1.0.0' };
  const params = { name: 'echo', arguments: { text: 'How much does the way cost?' } };
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  if (era === 'modern') {
    params._meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': info,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    Object.assign(headers, {
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    });
  } else {
    const protocolVersion = '2025-11-25';
    const initialize = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: info },
    };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize) });
    headers['mcp-session-id'] = answer.headers.get('mcp-session-id');
    headers['mcp-protocol-version'] = protocolVersion;
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialized) });
    // Requests of several clients are in flight at once: each needs an id of its own.
    request.id = '[<id>]';
  }
  const body = JSON.stringify(request);
  const first = await fetch(url, { method: 'POST', headers, body });
  const text = await first.text();
  if (!text.includes('You said: How much')) throw new Error(`${url}: ${first.status} ${text}`);
  return { url, method: 'POST', headers, body, idReplacement: era === 'legacy' };
}

/** Alternates between both ways, so that other load on the machine affects both. */
async function compare(era, clients, ways) {
  const rounds = { direct: [], gateway: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const [way, options] of Object.entries(ways)) {
      const result = await load({ ...options, connections: clients, duration: SECONDS });
      if (result.failed > 0) throw new Error(`${era}, ${way}: ${result.failed} calls failed`);
      // The first round is for the compilers to warm up.
      if (round >= 0) rounds[way].push(result);
    }
  }
  const [ours, theirs] = [rounds.gateway, rounds.direct].map((results) => median(results, 'perSecond'));
  return {
    name: `${era}-${clients}`,
    ours,
    theirs,
    ratio: round2(ours / theirs),
    // With one client, the time of a call is what is left of a second.
    addedMs: round2(
      clients === 1
        ? 1000 / ours - 1000 / theirs
        : median(rounds.gateway, 'p50') - median(rounds.direct, 'p50'),
    ),
    p99: median(rounds.gateway, 'p99'),
  };
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

function print(rows) {
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each, Node ${process.versions.node}; medians. Aims: added ≤ ${AIMS.addedMs} ms for one client, ratio ≥ ${AIMS.throughput}\n`,
  );
  console.log('tools/call   gateway/s   direct/s   ratio   added ms   p99 ms');
  for (const { name, ours, theirs, ratio, addedMs, p99 } of rows)
    console.log(
      [
        name.padEnd(11),
        String(Math.round(ours)).padStart(10),
        String(Math.round(theirs)).padStart(10),
        ratio.toFixed(2).padStart(7),
        addedMs.toFixed(2).padStart(10),
        p99.toFixed(0).padStart(8),
      ].join(' '),
    );
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
