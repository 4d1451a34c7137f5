// Calls of an MCP tool through the gateway, judged by guardrails in both directions and recorded, compared with calls of the same server directly.
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { startGateway } from './gateway.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { load, processorSeconds, profiling, startPart } from './kit/processes.mjs';
import { byTurns } from './kit/rounds.mjs';
import { requestOf } from './mcp/client.mjs';
import { connect, connectHeld } from './mcp/connections.mjs';
import { heldCalls } from './mcp/held.mjs';
import { startPeer } from './mcp/peer.mjs';

const ROUNDS = bounded('BENCH_ROUNDS', 5, 1, 100);
const SECONDS = bounded('BENCH_SECONDS', 2, 1, 60);
const HELD = bounded('BENCH_HELD', 200, 0, 1_000);
const CLIENTS = listed('BENCH_CLIENTS', ['1', '32']).map(Number);
const ERAS = listed('BENCH_ERAS', ['modern', 'legacy']);
/** The program of another gateway of MCP servers, which is measured beside ours where it is given. */
const PEER = process.env.BENCH_MCPPROXYD;
/** Milliseconds that the gateway may add to the median answer for one client, and the least share of the direct throughput. */
const AIMS = { addedMs: 2, throughput: 0.3 };

export default async function mcp() {
  const gateway = await startGateway(profiling(), {
    MCP_ALLOWED_HOSTS: '127.0.0.1',
    MCP_HOLD_SECONDS: '120',
    POSTGRES_PROXY_PORT: '0',
  });
  const stops = [() => gateway.stop()];
  try {
    const rows = [];
    for (const era of ERAS) {
      const { url } = await server(era, stops);
      const authorization = `Bearer ${gateway.token}`;
      const sides = {
        direct: { request: await requestOf(era, url) },
        gateway: {
          request: await requestOf(era, await connect(gateway, era, url), authorization),
          pid: gateway.pid,
        },
      };
      // It refuses modern clients, and names a legacy revision to them.
      if (PEER !== undefined && era === 'legacy') {
        const peer = await startPeer(PEER, url);
        stops.unshift(peer.stop);
        sides.mcpproxyd = {
          request: await requestOf(era, peer.url, `Bearer ${peer.token}`),
          pid: peer.pid,
        };
      }
      for (const clients of CLIENTS) rows.push(await compare(era, clients, sides));
    }
    print(rows);
    const held = HELD === 0 ? undefined : await held200(gateway, stops);
    return { ...figures(rows), ...(held === undefined ? {} : { held }) };
  } finally {
    for (const stop of stops) await stop();
  }
}

async function server(era, stops) {
  const child = startPart('mcp/server.mjs');
  stops.unshift(() => child.kill());
  child.send(era);
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}/mcp` };
}

async function compare(era, clients, sides) {
  const of = await byTurns(sides, ROUNDS, async ({ request, pid }) => {
    const before = processorSeconds(pid);
    const { requests, ...figures } = await load({ ...request, connections: clients, duration: SECONDS });
    return { ...figures, costMs: ((processorSeconds(pid) - before) * 1000) / requests };
  });
  // With one client, the time of a call is what is left of a second: the load generator rounds its own percentiles to milliseconds.
  const time = (side) => (clients === 1 ? 1000 / of[side].perSecond : of[side].p50);
  return { name: `${era}-${clients}`, of, addedMs: (side) => time(side) - time('direct') };
}

async function held200(gateway, stops) {
  const { url } = await server('modern', stops);
  const held = await heldCalls(gateway, await connectHeld(gateway, url), HELD);
  console.log(
    `${HELD} held calls: busy database connections of the gateway ${held.busyWith.toFixed(2)} on average, ${held.busyWithout.toFixed(2)} without them; open ${held.openWith}, ${held.openWithout} without\n`,
  );
  return held;
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
