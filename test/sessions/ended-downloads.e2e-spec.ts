import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { EventPiece } from '../../src/sessions/format/event-codec';
import { Connections } from '../../src/process/shutdown';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { type RawEnd, RawReading, dataOf } from '../support/raw-reading';
import { storeRecording, superuser } from '../support/stored-recording';
import { someOf, turnOf } from '../support/volume';

const KEY = randomBytes(32).toString('base64');
/** Number of chunks. One query reads 8, so the tests can remove chunks before, at and after its last one. */
const CHUNKS = 19;
const READ_BYTES = 50_000;
const VERSIONS = ['1.0', '1.1'] as const;
type Version = (typeof VERSIONS)[number];

/** All formats of a recording, each with the path and query that requests it. */
const FORMS: Readonly<Record<string, string>> = {
  'a table': '?extension=csv',
  'lines of JSON': '?extension=json',
  'a terminal': '?extension=cast&events=o',
  text: '?extension=txt&event-time=1',
  'the JSON of the session': '?expand=event_stream',
  'text in JSON': '?event_stream=utf8',
  'a live stream': '/stream',
};

/** SQL conditions that select the chunks to remove. `at` is a chunk number, from the first to the last. */
const LOSSES: Readonly<Record<string, (at: number) => string>> = {
  'one chunk': (at) => `seq = ${at}`,
  'the rest': (at) => `seq >= ${at}`,
  'the beginning': (at) => `seq <= ${at}`,
};

const rows = (bytes: number) => (_: unknown, index: number) => {
  const row = index % 9 === 0 ? `${index}\t"one", two\t=3\n` : `${index}\tone two three four five six\n`;
  const content = Buffer.from(row.repeat(Math.ceil(bytes / row.length)));
  const piece: EventPiece = { time: index + 1, type: 'o', content, ends: true };
  return [piece];
};

/**
 * Downloads and streams of a recording that end early: each client gets only whole messages, and can see that
 * the rest is missing.
 */
describeDataPath('a download', { environment: { SECRET_KEY: KEY } }, ({ path }) => {
  let db: Client;
  let doomed: Connections;
  let small: string;
  let large: string;

  const store = async (bytes: number): Promise<string> => {
    const { session_id: id } = (await path.run('SELECT 1', {}, 'alice')).body;
    const chunks = Array.from({ length: CHUNKS }, rows(bytes));
    await storeRecording(db, id, chunks, Buffer.from(KEY, 'base64'));
    return id as string;
  };

  beforeAll(async () => {
    doomed = new Connections(path.gateway.app.getHttpServer());
    db = await superuser(path.gateway.database);
    small = await store(300);
    large = await store(320 * 1024);
    await db.query(`UPDATE sessions SET script = NULL WHERE id = '${large}'`);
    await db.query(
      `CREATE TABLE kept AS SELECT * FROM session_chunks WHERE session_id IN ('${small}', '${large}')`,
    );
  });
  afterAll(() => db.end());

  const open = async (
    id: string,
    form: string,
    stopsAfter?: number,
    version?: Version,
  ): Promise<RawReading> =>
    RawReading.open(
      `${path.gateway.api}/sessions/${id}${FORMS[form]}`,
      {
        headers: { authorization: `Bearer ${await path.gateway.token('auditor')}` },
        ...(version === undefined ? {} : { version }),
      },
      stopsAfter,
    );
  const read = async (id: string, form: string): Promise<RawEnd> => (await open(id, form)).ended;

  const wholes = new Map<string, Promise<RawEnd>>();
  /** Reads the large recording while no chunk is missing. */
  const wholeOf = (form: string): Promise<RawEnd> => {
    const whole = wholes.get(form) ?? read(large, form);
    wholes.set(form, whole);
    return whole;
  };

  /** A client that has read the beginning of the large recording, and reads nothing more. */
  const stopped = async (form: string, version?: Version): Promise<RawReading> => {
    const reading = await open(large, form, READ_BYTES, version);
    await eventually('the beginning is read', async () => reading.bytes >= READ_BYTES);
    return reading;
  };

  /** Deletes the chunks that match the SQL condition `which`, runs `during`, and restores the chunks. */
  const without = async <T>(id: string, which: string, during: () => Promise<T>): Promise<T> => {
    await db.query(`DELETE FROM session_chunks WHERE session_id = '${id}' AND ${which}`);
    try {
      return await during();
    } finally {
      await db.query(
        `INSERT INTO session_chunks SELECT * FROM kept WHERE session_id = '${id}' ON CONFLICT DO NOTHING`,
      );
    }
  };

  /**
   * Expects a refusal, or an answer that the gateway aborts visibly.
   * @param whole the answer when no chunk is missing; the body of `end` must be a prefix of it
   */
  function expectNoWhole(end: RawEnd, whole: string, form: string): void {
    if (end.status !== 200) {
      expect([end.status, end.type, end.isWhole]).toEqual([422, 'application/json', true]);
      expect(JSON.parse(end.body)).toEqual({ message: expect.stringContaining('missing') });
      return;
    }
    expect(end.isWhole).toBe(false);
    expect(whole.startsWith(end.body)).toBe(true);
    if (form === 'a live stream') dataOf(end);
  }

  // promises: READ-20
  it.each(Object.entries(FORMS).map(([form], index) => [form, index] as const))(
    'as %s lacks nothing in silence, whichever chunks are missing',
    async (form, index) => {
      const whole = await read(small, form);
      expect(whole).toMatchObject({ status: 200, isWhole: true });
      const places = Array.from({ length: CHUNKS }, (_, at) => at + 1);
      for (const loss of turnOf(Object.values(LOSSES), index, 2))
        for (const at of someOf(places, 6)) {
          const end = await without(small, loss(at), () => read(small, form));
          expectNoWhole(end, whole.body, form);
        }
      expect(await read(small, form)).toEqual(whole);
    },
  );

  // promises: READ-20
  it('of megabytes breaks off where a chunk is missing, in each form', async () => {
    for (const form of someOf(Object.keys(FORMS), 5)) {
      const whole = await wholeOf(form);
      for (const at of someOf([12, CHUNKS, 3], 3)) {
        const end = await without(large, `seq = ${at}`, () => read(large, form));
        expect([form, at, end.status]).toEqual([form, at, 200]);
        expectNoWhole(end, whole.body, form);
      }
    }
  });

  // promises: READ-20
  it('that its client stopped reading breaks off when what is left is removed', async () => {
    for (const form of someOf(Object.keys(FORMS), 5)) {
      const whole = await wholeOf(form);
      const reading = await stopped(form);
      await db.query(`UPDATE sessions SET recording_purged_at = now() WHERE id = '${large}'`);
      const end = await without(large, 'true', () => {
        reading.readOn();
        return reading.ended;
      });
      await db.query(`UPDATE sessions SET recording_purged_at = NULL WHERE id = '${large}'`);
      expect([form, end.status]).toEqual([form, 200]);
      expectNoWhole(end, whole.body, form);
    }
  });

  // This test is the last one, because the gateway accepts no connections afterwards.
  // promises: READ-20, HTTP-27
  it('that its client reads too slowly breaks off when the gateway stops', async () => {
    const forms = someOf(Object.keys(FORMS), 3);
    for (const form of forms) expect(await wholeOf(form)).toMatchObject({ status: 200, isWhole: true });
    const readings: (readonly [string, RawReading])[] = [];
    for (const [index, form] of forms.entries())
      for (const version of turnOf(VERSIONS, index, 1)) readings.push([form, await stopped(form, version)]);
    doomed.drain(500);
    await pause(1_000);
    for (const [form, reading] of readings) {
      reading.readOn();
      const end = await reading.ended;
      expect([form, end.status]).toEqual([form, 200]);
      expectNoWhole(end, (await wholeOf(form)).body, form);
    }
  });
});
