import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { describeScoped } from '../support/describe';
import {
  bind,
  close,
  copyData,
  copyDone,
  describe as describing,
  execute,
  flush,
  parse,
  query,
  sync,
} from '../support/wire/messages';
import { faultsLogged } from '../support/wire/logged-faults';
import { normalized } from '../support/wire/normalize';
import { startProxiedWorld } from '../support/wire/proxied-world';
import { UNTOUCHED_BY } from '../support/wire/rules';
import { WireClient } from '../support/wire/wire-client';
import { volume } from '../support/volume';

jest.setTimeout(1_200_000);

const PATIENCE_MS = 240_000;

const bound = (portal: string, value: string): Buffer =>
  bind({
    portal,
    statement: 's',
    values: [{ format: 0, bytes: Buffer.from(value) }],
    resultFormats: [],
  });

const times = (count: number, make: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));

const SIMPLE = volume(1_500, 15_000);
const PIPELINES = volume(800, 8_000);
/** Number of rows in a large result. Each row has 20 000 bytes. */
const LARGE = volume(400, 2_000);

/** Streams that have far more messages or bytes than all buffers between client and server can hold. */
const STREAMS: readonly [string, Buffer, number][] = [
  [
    'very many messages before one Sync',
    Buffer.concat([
      parse('s', 'SELECT $1::int AS n', [23]),
      times(volume(4_000, 10_000), (n) =>
        Buffer.concat([bound('', String(n)), describing('P', ''), execute('')]),
      ),
      sync(),
    ]),
    1,
  ],
  [
    'as many whose answers are the shortest',
    Buffer.concat([times(volume(6_000, 40_000), (n) => close('S', `s${n}`)), sync()]),
    1,
  ],
  [
    'an error early, and what the server skips after it',
    Buffer.concat([
      parse('s', 'SELECT 10 / $1::int AS n', [23]),
      times(volume(4_000, 20_000), (n) => Buffer.concat([bound('', n === 100 ? '0' : '5'), execute('')])),
      sync(),
      query('SELECT 1'),
    ]),
    2,
  ],
  ['simple queries without waiting', times(SIMPLE, (n) => query(`SELECT ${n}`)), SIMPLE],
  [
    'pipelines without waiting',
    times(PIPELINES, (n) =>
      Buffer.concat([
        parse('', `SELECT ${n % 9}`),
        bind({ portal: '', statement: '', values: [], resultFormats: [] }),
        execute(''),
        sync(),
      ]),
    ),
    PIPELINES,
  ],
  [
    'many megabytes either way',
    times(LARGE, (n) => query(`SELECT '${String(n % 10).repeat(20_000)}' AS same`)),
    LARGE,
  ],
];

describeScoped('more than fits between a client and its server', (begin) => {
  const world = begin(startProxiedWorld);
  const ways = new Map<string, ClientConfig>();

  beforeAll(async () => {
    const secure = { ssl: { rejectUnauthorized: false } };
    const free = await world.open('free');
    const guarded = await world.open('guarded', {}, UNTOUCHED_BY);
    ways.set('free', free).set('guarded', guarded);
    if (world.tls) ways.set('guarded, in TLS', { ...guarded, ...secure });
  });

  it.each(STREAMS)('completes: %s, of a client that reads late', async (_, bytes, readies) => {
    const expected = await answerTo({ connectionString: world.twins.urls[0] }, bytes, readies);
    for (const [name, config] of ways) {
      const answer = await answerTo(config, bytes, readies);
      expect({ name, ...answer }).toEqual({ name, ...expected });
    }
    expect(faultsLogged(world.gateway)).toEqual([]);
    expect(world.gateway.stderr).toBe('');
  });

  it('completes for a client that sends Flush and never Sync', async () => {
    const client = await WireClient.connect(await world.open('flushed', {}, UNTOUCHED_BY));
    client.write(parse('s', 'SELECT $1::int AS n', [23]));
    const complete = counted(client, 'C');
    for (let round = 1; round <= volume(8, 30); round++) {
      client.write(
        Buffer.concat([times(500, (n) => Buffer.concat([bound('', String(n)), execute('')])), flush()]),
      );
      expect(await client.until(() => complete() === round * 500, PATIENCE_MS)).toBe('done');
    }
    await client.close();
  });

  const data = [copyData(Buffer.from('1\tGr\u00fc\u00dfe\n')), copyDone()];
  const copyIn = (table: string): Buffer[] => [
    parse('', `COPY ${table} FROM STDIN`),
    bind({ portal: '', statement: '', values: [], resultFormats: [] }),
    execute(''),
  ];
  const risky = [
    parse('', "SET application_name TO 'names'"),
    bind({ portal: '', statement: '', values: [], resultFormats: [] }),
    execute(''),
  ];

  // COPY data with characters beyond ASCII wait for the answer to an earlier statement that may change the
  // encoding. The wait must end even if the client sends no Sync in between.
  it.each([
    ['behind a query', [query('ROLLBACK'), query('COPY pairs FROM STDIN'), ...data, query('SELECT 1')], 3],
    ['in one pipeline', [...risky, ...copyIn('pairs'), ...data, sync()], 1],
    ['for a table that is not there', [...risky, ...copyIn('missing'), ...data, sync()], 1],
    ['that nobody asked for', [...risky, ...data, sync()], 1],
  ])('comes to an end: COPY data beyond ASCII %s', async (_, messages, readies) => {
    const client = await WireClient.connect(ways.get('guarded') ?? {});
    const isReady = (): boolean => client.messages.filter(({ type }) => type === 'Z').length >= readies;
    // Sends everything in one write, so that no later data makes the gateway check again.
    client.write(Buffer.concat(messages));
    expect(await client.until(isReady, PATIENCE_MS)).toBe('done');
    // Sends the messages again in two writes. The first write ends within the COPY data.
    client.messages = [];
    client.write(Buffer.concat(messages.slice(0, messages.indexOf(data[0] as Buffer) + 1)));
    await new Promise((turn) => setImmediate(turn));
    client.write(Buffer.concat(messages.slice(messages.indexOf(data[0] as Buffer) + 1)));
    expect(await client.until(isReady, PATIENCE_MS)).toBe('done');
    await client.close();
  });
});

/** Returns a function that counts the messages of this type so far. It reads each message only once. */
function counted(client: WireClient, type: string): () => number {
  let seen = 0;
  let came = 0;
  return () => {
    for (; seen < client.messages.length; seen++) if (client.messages[seen]?.type === type) came += 1;
    return came;
  };
}

interface Told {
  readonly outcome: string;
  readonly messages: number;
  readonly hash: string;
}

/** Sends all bytes. Reads no answer until the buffers are full and nothing more can be sent. */
async function answerTo(config: ClientConfig, bytes: Buffer, readies: number): Promise<Told> {
  const client = await WireClient.connect(config);
  const { socket, below } = client;
  socket.pause();
  // Writes in pieces, because a TLS socket keeps each piece in memory until all of it is sent.
  for (let at = 0; at < bytes.length; at += 65_536) client.write(bytes.subarray(at, at + 65_536));
  for (let sent = -1; sent !== below.bytesWritten - below.writableLength; await delay(200))
    sent = below.bytesWritten - below.writableLength;
  socket.resume();
  const ready = counted(client, 'Z');
  const outcome = await client.until(() => ready() >= readies, PATIENCE_MS);
  const hash = createHash('sha256');
  for (const message of client.messages) hash.update(message.type).update(normalized(message).body);
  const { length } = client.messages;
  await client.close();
  return { outcome, messages: length, hash: hash.digest('hex') };
}
