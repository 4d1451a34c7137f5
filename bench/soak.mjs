// npm run bench -- soak: memory of the gateway's process at rest, after much
// work, and whether it grows while it works.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startGateway } from './gateway.mjs';
import { bounded, rounded } from './kit/figures.mjs';
import { freePort } from './kit/ports.mjs';
import { startPart } from './kit/processes.mjs';
import { requestOf } from './mcp/client.mjs';
import { connect } from './mcp/connections.mjs';
import { openColumns } from './postgres/columns.mjs';
import { seed } from './rest.mjs';
import { slopeOf } from './soak/slope.mjs';

const MINUTES = bounded('BENCH_MINUTES', 10, 0, 1_440);
/** Duration of the soak: the minutes, and additional seconds. */
const SECONDS = MINUTES * 60 + bounded('BENCH_SECONDS', 0, 0, 3_600);
const SCRIPTS = bounded('BENCH_SCRIPTS', 10_000, 0, 10_000_000);
const SESSIONS = bounded('BENCH_SESSIONS', 1_000, 0, 1_000_000);
/**
 * Seconds to wait before the memory at rest is measured. On a busy machine, the garbage collector returns
 * memory half a minute after the last work, or later.
 */
const REST_SECONDS = bounded('BENCH_REST', 60, 0, 600);
const SAMPLE_MS = 1_000;
/** Target values in MB. */
const AIMS = { rest: 130, after: 180 };

export default async function soak() {
  const heapPort = await freePort();
  const gateway = await startGateway(['--require', join(import.meta.dirname, 'soak', 'heap-watch.cjs')], {
    POSTGRES_PROXY_PORT: String(await freePort()),
    MCP_ALLOWED_HOSTS: '127.0.0.1',
    BENCH_HEAP_PORT: String(heapPort),
  });
  const sample = () => memoryOf(gateway.pid, heapPort);
  console.log(
    `Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}; MB. Aims: at rest ≤ ${AIMS.rest}, after the work ≤ ${AIMS.after}, no growth\n`,
  );
  console.log('                                   resident   of it files   most so far   live heap');
  const rest = await settled('at rest', sample);

  const where = await whereToWork(gateway);
  const clients = startPart('soak/clients.mjs');
  const work = async (what) => {
    clients.send({ ...where, ...what });
    return (await once(clients, 'message'))[0];
  };
  await work({
    kinds: { scripts: { clients: 8, count: SCRIPTS }, sessions: { clients: 4, count: SESSIONS } },
  });
  const after = await settled(`${SCRIPTS} scripts, ${SESSIONS} sessions`, sample);

  const { done, samples } = await soaked(work, sample);
  const end = await settled(`${(SECONDS / 60).toFixed(1)} minutes of everything`, sample);
  const { slope, liveSlope } = slopesOf(samples);
  console.log(
    `\nIn the soak: ${Object.entries(done)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ')}`,
  );
  console.log(`Second half: resident ${told(slope)}, live heap ${told(liveSlope)}\n`);
  const each = (figure) => ({
    rest: rounded(rest[figure]),
    after: rounded(after[figure]),
    end: rounded(end[figure]),
  });
  return {
    node: process.versions.node,
    residentMB: each('resident'),
    filesMB: each('files'),
    liveHeapMB: each('live'),
    mostMB: rounded(end.most),
    done,
    slopeMBPerHour: roundedSlope(slope),
    liveHeapSlopeMBPerHour: roundedSlope(liveSlope),
  };
}

/** Runs all kinds of work in parallel for the duration of the soak. */
async function soaked(work, sample) {
  const kinds = {
    scripts: { clients: 2 },
    sessions: { clients: 2, pauseMs: 20 },
    gets: { clients: 2, pauseMs: 5 },
    mcp: { clients: 2, pauseMs: 5 },
  };
  const state = { isOver: false };
  const working = work({ kinds, seconds: SECONDS }).finally(() => (state.isOver = true));
  const samples = [];
  while (!state.isOver) {
    samples.push({ at: performance.now(), ...(await sample()) });
    await Promise.race([working, delay(SAMPLE_MS)]);
  }
  return { done: await working, samples };
}

function slopesOf(samples) {
  const half = samples.slice(samples.length >> 1);
  const of = (figure) => slopeOf(half.map((one) => ({ at: one.at, value: one[figure] })));
  return { slope: of('resident'), liveSlope: of('live') };
}

/** Waits until the gateway is at rest, and prints its memory. */
async function settled(name, sample) {
  await delay(REST_SECONDS * 1000);
  const memory = await sample();
  const { resident, files, most, live } = memory;
  console.log(
    [
      name.padEnd(34),
      ...[resident, files, most, live].map((value, at) => value.toFixed(0).padStart([8, 13, 13, 11][at])),
    ].join(' '),
  );
  return memory;
}

async function whereToWork(gateway) {
  const paths = Object.values(await seed(gateway));
  const [{ url: wire }] = await openColumns(['guarded'], { target: gateway.postgres.url('target'), gateway });
  const server = startPart('mcp/server.mjs');
  server.send('modern');
  const [port] = await once(server, 'message');
  // Uses an API key, because the person's token would expire during a long soak.
  const { key } = JSON.parse(await gateway.call('POST', '/api-keys', { name: 'soak', groups: ['admin'] }));
  const authorization = `Bearer ${key}`;
  const address = await connect(gateway, 'modern', `http://127.0.0.1:${port}/mcp`);
  const { method, headers, body } = await requestOf('modern', address, authorization);
  return { origin: gateway.origin, authorization, paths, wire, mcp: { url: address, method, headers, body } };
}

/**
 * Returns, in MB, the resident memory as `ps` shows it, the part of it that is mapped files (mostly Node.js
 * itself, which processes share), the largest resident memory so far, and the live heap. Linux only.
 */
async function memoryOf(pid, heapPort) {
  const live = Number(await (await fetch(`http://127.0.0.1:${heapPort}`)).text());
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'latin1') : '';
  const megabytes = (name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
  return { resident: megabytes('VmRSS'), files: megabytes('RssFile'), most: megabytes('VmHWM'), live };
}

function told({ perHour, error }) {
  return `${perHour.toFixed(1)} ± ${error.toFixed(1)} MB an hour`;
}

function roundedSlope({ perHour, error }) {
  return { perHour: rounded(perHour), error: rounded(error) };
}
