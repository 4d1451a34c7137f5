import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Client, type ClientConfig } from 'pg';
import { describeWirePath } from '../support/describe';
import { chances, oddStatement, oddText } from '../support/random-statements';
import { volume } from '../support/volume';

jest.setTimeout(720_000);

const STATEMENTS = volume(600, 2_000);
/**
 * Size of the large statements in MiB. In `npm test`, they are still large for each part of the gateway, but
 * only the largest statement is longer than a segment of the journal.
 */
const MIB = volume(2, 16);
const LARGE = MIB * 1024 * 1024;
/** Size of the largest statement in MiB. The gateway accepts messages of at most 64 MiB. */
const LARGEST = volume(20, 64);

/** Tests that the recording has the statements that clients sent, byte for byte and in order. */
describeWirePath('statements of PostgreSQL clients', ({ path }) => {
  const withClient = async (
    work: (client: Client) => Promise<unknown>,
    more: ClientConfig = {},
  ): Promise<void> => {
    const client = new Client({ ...path.through, ...more });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };
  /**
   * Reads the events of the last session. It uses a new connection, because parsing tens of megabytes of JSON
   * keeps this process busy for long, and a kept connection may be closed meanwhile.
   */
  const events = async (query: string): Promise<[number, string, string][]> => {
    const id = await path.lastSession();
    const authorization = `Bearer ${await path.gateway.token('admin')}`;
    const url = `${path.gateway.api}/sessions/${id}?${query}`;
    const body = await new Promise<Buffer>((resolve, reject) => {
      request(url, { agent: false, headers: { authorization } }, (answer) => resolve(buffer(answer)))
        .on('error', reject)
        .end();
    });
    return (JSON.parse(body.toString()) as { event_stream: [number, string, string][] }).event_stream;
  };
  const decoded = (stream: [number, string, string][]): string[] =>
    stream.map(([, , content]) => Buffer.from(content, 'base64').toString());

  // promises: READ-14, PROXY-2
  it(`are recorded as they were sent: ${STATEMENTS} of them, by Query, Parse, by name, with values, pipelined`, async () => {
    const next = chances(20_261_121);
    const sent: string[] = [];
    const inputs: string[] = [];
    await withClient(
      async (client) => {
        const answers: Promise<unknown>[] = [];
        for (let n = 0; n < STATEMENTS; n += 1) {
          const text = oddStatement(next);
          sent.push(text);
          inputs.push(text);
          const way = next(3);
          if (way === 0) answers.push(client.query(text));
          else {
            const value = next(5) === 0 ? null : oddText(next);
            const bound = value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`;
            const withValue = `/* ${n} */ SELECT $1::text AS value -- ${text.replaceAll(/[\r\n]/g, ' ')}`;
            sent[sent.length - 1] = withValue;
            inputs[inputs.length - 1] = withValue;
            const name = way === 1 ? '' : `name '${n}' ü`;
            inputs.push(
              name === '' ? `\\bind ${bound}` : `\\bind_named '${name.replaceAll("'", "''")}' ${bound}`,
            );
            const query = { text: withValue, values: [value], ...(name === '' ? {} : { name }) };
            answers.push(client.query(query).then(({ rows }) => expect(rows).toEqual([{ value }])));
          }
        }
        await Promise.all(answers);
      },
      { pipeline: true },
    );
    expect(decoded(await events('event_stream=raw-queries'))).toEqual(sent);
    expect(decoded((await events('expand=event_stream')).filter(([, type]) => type === 'i'))).toEqual(inputs);
  });

  const large = `SELECT length('${'ü'.repeat(LARGE / 2 - 64)}') AS n`.padEnd(LARGE / 2 + 64, ' ');

  it.each([
    ['Query', []],
    ['Parse', [1]],
  ] as const)(`of ${MIB} MiB are recorded whole, by %s`, async (_, values) => {
    const text = values.length === 0 ? large : `${large} WHERE $1 = 1`;
    expect(Buffer.byteLength(text)).toBeGreaterThanOrEqual(LARGE);
    await withClient(async (client) => {
      const { rows } = await client.query(text, values.length === 0 ? undefined : [...values]);
      expect(rows).toEqual([{ n: LARGE / 2 - 64 }]);
    });
    const recorded = decoded(await events('event_stream=raw-queries'));
    expect(recorded.map(digest)).toEqual([digest(text)]);
  });

  // promises: READ-19
  it(`of nearly ${LARGEST} MiB are recorded whole, in pieces`, async () => {
    const times = LARGEST * 64 * 1024 - 8;
    const text = `SELECT length('${'0123456789abcdef'.repeat(times)}') AS n`;
    await withClient(async (client) => {
      expect((await client.query(text)).rows).toEqual([{ n: 16 * times }]);
    });
    const id = await path.lastSession();
    const file = await path.gateway.call('admin', 'GET', `/sessions/${id}?extension=txt&events=i`);
    expect(digest(file.text)).toBe(digest(text));
    const [chunks] = await path.gateway.database.query<{ largest: number }>(
      'SELECT max(raw_size) AS largest FROM session_chunks WHERE session_id = $1',
      [id],
    );
    expect(chunks?.largest).toBe(256 * 1024);
  });

  it(`have values of ${MIB} MiB, recorded whole`, async () => {
    const value = `it's ü ${'v'.repeat(LARGE)}`;
    await withClient(async (client) => {
      const { rows } = await client.query('SELECT length($1::text) AS n', [value]);
      expect(rows).toEqual([{ n: value.length }]);
    });
    const inputs = decoded((await events('expand=event_stream')).filter(([, type]) => type === 'i'));
    expect(inputs.map(digest)).toEqual(
      ['SELECT length($1::text) AS n', `\\bind '${value.replace("'", "''")}'`].map(digest),
    );
  });
});

function digest(text: string): string {
  return `${text.length}:${createHash('sha256').update(text).digest('hex')}`;
}
