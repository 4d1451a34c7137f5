// Reads rows as fast as possible: signs in, sends one query and discards the answer unread, so that the
// reader is not measured. Started by fork() with a URL, the SQL and the number of rows; sends bytes and
// seconds.
import { Client } from 'pg';

const [connectionString, sql, rows] = process.argv.slice(2);
const client = new Client({ connectionString });
await client.connect();
const { stream } = client.connection;
stream.removeAllListeners('data');

/**
 * ReadyForQuery outside of a transaction. If a chunk of rows ends with the same bytes by coincidence, the
 * bench fails and prints this end of the chunk.
 */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const KEPT = 256;
let tail = Buffer.alloc(0);
let bytes = 0;
const startedAt = performance.now();
stream.on('data', (chunk) => {
  bytes += chunk.length;
  tail = chunk.length >= KEPT ? chunk.subarray(-KEPT) : Buffer.concat([tail, chunk]).subarray(-KEPT);
  if (!tail.subarray(-READY.length).equals(READY)) return;
  const seconds = (performance.now() - startedAt) / 1000;
  const isWhole = tail.subarray(0, -READY.length).toString('latin1').endsWith(` ${rows}\0`);
  const failed = isWhole ? undefined : tail.toString('latin1').replaceAll('\0', ' ');
  process.send({ bytes, seconds, failed }, () => process.exit());
});
stream.write(message('Q', Buffer.from(`${sql}\0`)));

function message(type, body) {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
