// Calls of an MCP tool through the gateway, judged by guardrails in both directions and recorded, compared
// with direct calls of the same server, and with calls through a proxy that inspects nothing.
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { startGateway } from './gateway.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { freePort } from './kit/ports.mjs';
import { load, processorSeconds, profiling, startPart } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';
import { requestOf } from './mcp/client.mjs';
import { connect, connectHeld, connectPlain } from './mcp/connections.mjs';
import { heldCalls } from './mcp/held.mjs';
import { largeResults } from './mcp/large.mjs';
import { startPeer } from './mcp/peer.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 100);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 60);
const WARM_UP = bounded('BENCH_WARM_UP', 3_000, 0, 1_000_000);
const HELD = bounded('BENCH_HELD', 200, 0, 1_000);
const LARGE_ROUNDS = bounded('BENCH_LARGE_ROUNDS', 3, 0, 100);
const TURN_WATCH = join(import.meta.dirname, 'silence', 'turn-watch.mjs');
const CLIENTS = listed('BENCH_CLIENTS', ['1', '32']).map(Number);
const EVERY_ERA = ['modern', 'legacy'];
const ERAS = listed('BENCH_ERAS', EVERY_ERA, EVERY_ERA);
/** Path of another gateway program for MCP servers. If it is set, that gateway is measured too. */
const PEER = process.env.BENCH_MCPPROXYD;
/**
 * Milliseconds that the gateway may add to the median answer for one client,
 * and the least share of the direct throughput.
 */
const AIMS = { addedMs: 2, throughput: 0.3 };

export default async function mcp() {
  const gateway = await startGateway(profiling(), {
    MCP_ALLOWED_HOSTS: '127.0.0.1',
    MCP_HOLD_SECONDS: '120',
  });
  const rows = [];
  for (const era of ERAS) {
    const { url } = await server(era);
    const authorization = `Bearer ${gateway.token}`;
    const pump = await startPump(url);
    const sides = {
      direct: { request: await requestOf(era, url) },
      gateway: {
        request: await requestOf(era, await connect(gateway, era, url), authorization),
        pid: gateway.pid,
      },
      pump: { request: await requestOf(era, pump.url), pid: pump.pid },
    };
    // mcpproxyd refuses modern clients and offers them a legacy revision, so it is measured only in the
    // legacy era.
    if (PEER !== undefined && era === 'legacy') {
      const peer = await startPeer(PEER, url);
      sides.mcpproxyd = {
        request: await requestOf(era, peer.url, `Bearer ${peer.token}`),
        pid: peer.pid,
      };
    }
    await warmUp(sides);
    for (const clients of CLIENTS) rows.push(await compare(era, clients, sides));
  }
  print(rows);
  const held = HELD === 0 ? undefined : await held200(gateway);
  const large = LARGE_ROUNDS === 0 ? undefined : await largeTurns();
  return {
    ...figures(rows),
    ...(held === undefined ? {} : { held }),
    ...(large === undefined ? {} : { largeMs: large }),
  };
}

async function server(era) {
  const child = startPart('mcp/server.mjs');
  child.send(era);
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}/mcp` };
}

/** Starts the baseline: an HTTP proxy that inspects nothing. */
async function startPump(url) {
  const child = startPart('mcp/pump.mjs', [new URL(url).port]);
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}/mcp`, pid: child.pid };
}

/**
 * Makes calls before the measurement. The first calls of a process cost more than twice as much, because its
 * code is compiled while it runs.
 */
async function warmUp(sides) {
  if (WARM_UP === 0) return;
  for (const { request } of Object.values(sides)) await load({ ...request, connections: 8, amount: WARM_UP });
}

async function compare(era, clients, sides) {
  const of = await byTurns(sides, ROUNDS, async ({ request, pid }) => {
    const before = processorSeconds(pid);
    const { requests, ...figures } = await load({ ...request, connections: clients, duration: SECONDS });
    return { ...figures, costMs: ((processorSeconds(pid) - before) * 1000) / requests };
  });
  // With one client, the time of a call is computed from the calls per second, because the load generator
  // rounds its own percentiles to milliseconds.
  const time = (side) => (clients === 1 ? 1000 / of[side].perSecond : of[side].p50);
  return { name: `${era}-${clients}`, of, addedMs: (side) => time(side) - time('direct') };
}

async function held200(gateway) {
  const { url } = await server('modern');
  const held = await heldCalls(gateway, await connectHeld(gateway, url), HELD);
  console.log(
    `${HELD} held calls: busy database connections of the gateway ${held.busyWith.toFixed(2)} on average, ${held.busyWithout.toFixed(2)} without them; open ${held.openWith}, ${held.openWithout} without\n`,
  );
  return held;
}

/** Uses a separate gateway, because watching the event loop costs processor time. */
async function largeTurns() {
  const port = await freePort();
  const gateway = await startGateway(['--import', TURN_WATCH], {
    MCP_ALLOWED_HOSTS: '127.0.0.1',
    BENCH_TURN_PORT: String(port),
  });
  const longestTurn = async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
  const turns = {};
  console.log('10 MB results   rules   longest turn, ms of processor   took, ms');
  for (const era of ERAS) {
    const { url } = await server(era);
    const sides = { none: await connectPlain(gateway, era, url), judged: await connect(gateway, era, url) };
    for (const [rules, address] of Object.entries(sides)) {
      const request = await requestOf(era, address, `Bearer ${gateway.token}`);
      for (const [kind, { turn, took }] of Object.entries(
        await largeResults(request, LARGE_ROUNDS, longestTurn),
      )) {
        turns[`${era}, ${rules}, ${kind}`] = rounded(turn);
        console.log(
          [era.padEnd(15), rules.padEnd(7), kind.padEnd(26), turn.toFixed(0), took.toFixed(0)].join(' '),
        );
      }
    }
  }
  console.log();
  return turns;
}

function print(rows) {
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s each by turns, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; medians. Aims: added ≤ ${AIMS.addedMs} ms for one client, ratio ≥ ${AIMS.throughput}\n`,
  );
  console.log('tools/call   through       calls/s   direct/s   ratio   added ms   p99 ms   processor ms');
  for (const { name, of, addedMs } of rows)
    for (const [side, { perSecond, p99, costMs }] of throughs(of))
      console.log(
        [
          name.padEnd(12),
          side.padEnd(10),
          perSecond.toFixed(0).padStart(9),
          of.direct.perSecond.toFixed(0).padStart(10),
          (perSecond / of.direct.perSecond).toFixed(2).padStart(7),
          addedMs(side).toFixed(2).padStart(10),
          p99.toFixed(0).padStart(8),
          costMs.toFixed(2).padStart(14),
        ].join(' '),
      );
  console.log();
}

function throughs(of) {
  return Object.entries(of).filter(([side]) => side !== 'direct');
}

function figures(rows) {
  const each = (figure) =>
    Object.fromEntries(
      rows.flatMap(({ name, of, addedMs }) =>
        throughs(of).map(([side]) => [
          side === 'gateway' ? name : `${name}-${side}`,
          rounded(figure(of, side, addedMs)),
        ]),
      ),
    );
  return {
    ratios: each((of, side) => of[side].perSecond / of.direct.perSecond),
    addedMs: each((_, side, addedMs) => addedMs(side)),
    perSecond: each((of, side) => of[side].perSecond),
    processorMs: each((of, side) => of[side].costMs),
  };
}
