// npm run bench -- archive: the space in PostgreSQL that is freed when recordings move to object storage, and
// the time until a reader gets the first byte from there.
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { startGateway } from './gateway.mjs';
import { startBucket } from './kit/bucket.mjs';
import { bounded, median, rounded } from './kit/figures.mjs';
import { begun, recording } from './sessions/recording.mjs';

const RECORDINGS = bounded('BENCH_RECORDINGS', 10_000, 10, 1_000_000);
const KILOBYTES = bounded('BENCH_RECORDING_KB', 20, 1, 10_000);
const LONG_MEGABYTES = bounded('BENCH_RECORDING_MB', 50, 1, 10_000);
const ROUNDS = bounded('BENCH_ROUNDS', 20, 1, 1_000);
const AT_ONCE = 16;
const PIECE = 16 * 1024;
const ASKED_EVERY_MS = 250;
const FIRST_BYTE_AIM_MS = 100;
const LEFT_AIM = 0.05;

export default async function archive() {
  const bucket = await startBucket();
  const gateway = await startGateway([], bucket.variables);
  const client = new Client({ connectionString: gateway.postgres.url('gateway') });
  await client.connect();
  const long = await fill(gateway, client);
  const before = await sizeOf(client);
  const inPostgres = await firstBytes(gateway, long);
  const startedAt = performance.now();
  bucket.open();
  await untilMoved(client);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await sizeOf(client);
  const inBucket = await firstBytes(gateway, long);
  await client.end();
  const left = rounded(after / before);
  const figures = {
    recordings: RECORDINGS,
    postgres_mb: { before: rounded(before / 1e6), after: rounded(after / 1e6), left },
    bucket_mb: rounded(bucket.bytes / 1e6),
    moved_per_second: rounded(RECORDINGS / seconds),
    first_byte_ms: { postgres: inPostgres, bucket: inBucket },
  };
  print(figures);
  return figures;
}

/** Records many sessions, then a long one. Returns the id and the number of chunks of the long session. */
async function fill(gateway, client) {
  const recorder = await recording(gateway.postgres.url('gateway'), 'store');
  let made = 0;
  const makeSome = async () => {
    while (made < RECORDINGS) {
      made += 1;
      await record(recorder, client, KILOBYTES * 1e3);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, makeSome));
  const id = await record(recorder, client, LONG_MEGABYTES * 1e6);
  await recorder.close();
  const { rows } = await client.query('SELECT chunk_count FROM sessions WHERE id = $1', [id]);
  return { id, chunks: rows[0].chunk_count };
}

async function record(recorder, client, size) {
  const session = await begun(client);
  const trail = recorder.trail(session);
  for (let bytes = 0, row = 0; bytes < size;) {
    const lines = [];
    for (let length = 0; length < Math.min(PIECE, size - bytes); row++) {
      const line = `${row}\tcustomer ${(row * 7919) % 100_003}\tuser${row % 977}@example.com\t${((row * 31) % 99_991) / 100}\tnote ${Math.random().toString(36)}`;
      lines.push(line);
      length += line.length + 1;
    }
    const piece = `${lines.join('\n')}\n`;
    await trail.append('o', piece);
    bytes += piece.length;
  }
  await trail.end(0);
  return session.id;
}

/** Size of the chunks and of the archive's tables about them, after a VACUUM like that of autovacuum. */
async function sizeOf(client) {
  await client.query('VACUUM ANALYZE');
  const { rows } = await client.query(
    `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
     WHERE relkind = 'r' AND relname ~ '^session_(chunks|archive)'`,
  );
  return rows[0].bytes;
}

async function untilMoved(client) {
  for (;;) {
    const { rows } = await client.query(
      `SELECT count(*)::int AS moved FROM session_archives WHERE state = 'archived' AND last_seq > 0`,
    );
    if (rows[0].moved > RECORDINGS) return;
    await delay(ASKED_EVERY_MS);
  }
}

/**
 * Returns median times in ms to the first byte of the whole text, and of streams from the middle and the end.
 */
async function firstBytes(gateway, { id, chunks }) {
  const at = (chunk) => ({ path: `/sessions/${id}/stream`, headers: { 'last-event-id': `${chunk}.0` } });
  const reads = {
    begin: { path: `/sessions/${id}?extension=txt`, headers: {} },
    middle: at(Math.floor(chunks / 2)),
    end: at(chunks),
  };
  const found = {};
  for (const [name, read] of Object.entries(reads)) {
    const times = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const time = await firstByte(gateway, read);
      if (round > 0) times.push(time);
    }
    found[name] = rounded(median(times));
  }
  return found;
}

async function firstByte({ origin, token }, { path, headers }) {
  const startedAt = performance.now();
  const over = new AbortController();
  const response = await fetch(`${origin}/api${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: over.signal,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const reader = response.body.getReader();
  await reader.read();
  const time = performance.now() - startedAt;
  over.abort();
  await reader.closed.catch(() => undefined);
  return time;
}

function print({ postgres_mb, bucket_mb, moved_per_second, first_byte_ms }) {
  console.log(`${RECORDINGS} recordings of ${KILOBYTES} kB and one of ${LONG_MEGABYTES} MB\n`);
  console.log(`in PostgreSQL: ${postgres_mb.before} MB, after the move ${postgres_mb.after} MB`);
  console.log(`left: ${postgres_mb.left}, aim ${LEFT_AIM}; in the bucket: ${bucket_mb} MB`);
  console.log(`moved each second: ${moved_per_second}\n`);
  console.log(`first byte of ${LONG_MEGABYTES} MB, medians of ${ROUNDS}, ms; aim ${FIRST_BYTE_AIM_MS}`);
  for (const [place, { begin, middle, end }] of Object.entries(first_byte_ms))
    console.log(
      `${place.padEnd(10)} ${[begin, middle, end].map((time) => time.toFixed(1).padStart(9)).join('')}`,
    );
}
