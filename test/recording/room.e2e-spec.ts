import type { Client } from 'pg';
import { describeGuardedPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { superuser } from '../support/stored-recording';
import type { WireClient } from '../support/wire-client';
import * as wire from '../support/wire-messages';

const MIB = 1024 * 1024;
const ANSWERED = ['T', 'D', 'C SELECT 1', 'Z I'];

/** Returns a statement with about this many bytes of text, whose last word is `word`. */
const large = (bytes: number, word: string): string => `SELECT length('${'word '.repeat(bytes / 5)}${word}')`;

const SETTINGS = { environment: { RECORDING_BUFFER_MB: '2' } };

/**
 * One session sends more data than the database can store at the moment. Other sessions are still recorded
 * and served.
 */
describeGuardedPath('where the store is held up by what one session says', SETTINGS, ({ path }) => {
  let store: Client;

  beforeAll(async () => {
    store = await superuser(path.gateway.database);
  });

  afterAll(async () => {
    await store.end();
  });

  afterEach(() => store.query('ROLLBACK'));

  const types = (answers: readonly string[]): string[] =>
    answers.map((one) => one.replace(/^([TD]) .*$/s, '$1'));

  const serves = async (client: WireClient, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1)
      expect(types(await client.ask(wire.query('SELECT 1')))).toEqual(ANSWERED);
  };

  /**
   * Waits until the recorder waits for the lock that the test holds. The question is not asked over the
   * connection of `store`, because a transaction does not see later activity of other database sessions.
   */
  const untilHeldUp = (): Promise<unknown> =>
    eventually('the recorder waits', async () => {
      const waiting = await path.gateway.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND application_name = 'access-gateway recorder'`,
      );
      return waiting.length > 0;
    });

  const find = async (word: string): Promise<string[]> =>
    (await path.gateway.call('admin', 'GET', `/sessions?q=${word}`)).body.data.map(
      ({ id }: { id: string }) => id,
    );

  it('waits when it has much pending; others do not, and nothing is lost', async () => {
    const greedy = await path.under({});
    const other = await path.under({});
    await store.query('BEGIN; LOCK TABLE session_texts IN SHARE MODE');
    const said = ['wordone', 'wordtwo', 'wordthree'].map((word) => large(1.5 * MIB, word));
    let answers: string[] = [];
    const asked = (async () => {
      greedy.client.send(...said.map((sql) => wire.query(sql)));
      answers = types(await greedy.client.ready(said.length));
    })();
    await untilHeldUp();
    await serves(other.client, 100);
    await serves(await path.signIn(other.connection), 20);
    expect(answers).toEqual([]);
    await store.query('ROLLBACK');
    await asked;
    expect(answers).toEqual([...ANSWERED, ...ANSWERED, ...ANSWERED]);
    const id = await greedy.session();
    const inputs = (await path.recording(id)).filter(([type]) => type === 'i').map(([, content]) => content);
    // Compares without a diff, because a diff of large texts would take longer than the whole test.
    expect(inputs.map((one, index) => one === said[index])).toEqual([true, true, true]);
    for (const word of ['wordone', 'wordtwo', 'wordthree'])
      await eventually(`${word} is found`, async () => (await find(word)).includes(id));
  });

  it('events of others are stored meanwhile', async () => {
    const { client, session } = await path.under({});
    const other = await path.under({}, { recording_mode: 'store' });
    await serves(client, 1);
    const id = await session();
    // A read first stores all events recorded so far.
    await path.read(id);
    await store.query('BEGIN');
    await store.query('SELECT FROM sessions WHERE id = $1 FOR UPDATE', [id]);
    const sql = large(5 * MIB, 'wordlast');
    expect(types(await client.ask(wire.query(sql)))).toEqual(ANSWERED);
    await untilHeldUp();
    await serves(other.client, 10);
    await store.query('ROLLBACK');
    await eventually('it is found', async () => (await find('wordlast')).includes(id));
    expect((await path.recording(id)).some(([, content]) => content === sql)).toBe(true);
  });
});
