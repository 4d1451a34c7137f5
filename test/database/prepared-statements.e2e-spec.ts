import { DataSource } from 'typeorm';
import { readInPieces } from '../../src/platform/database/pools/driver-stream';
import { dataSourceOptions } from '../../src/platform/database/pools/data-source-options';
import { PreparedStatements } from '../../src/platform/database/faults/prepared-statements';
import { retryTransactions } from '../../src/platform/database/faults/retry';
import { type TestDatabase, freshDatabase } from '../support/database';
import { type TestGateway, startGateway } from '../support/gateway';

const NAMES = `SELECT name, statement FROM pg_prepared_statements ORDER BY name`;

interface Prepared {
  readonly name: string;
  readonly statement: string;
}

/** A pool of one connection, so that each statement meets what earlier ones left there. */
async function poolOfOne(url: string): Promise<DataSource> {
  const options = dataSourceOptions(url, 1);
  const statements = new PreparedStatements();
  const onConnect = (client: Parameters<typeof readInPieces>[0]): void => {
    readInPieces(client);
    statements.prepareOn(client);
  };
  return retryTransactions(
    await new DataSource({ ...options, extra: { ...options.extra, onConnect } }).initialize(),
  );
}

describe('statements that are used often', () => {
  let database: TestDatabase;
  let pool: DataSource;

  beforeEach(async () => {
    database = await freshDatabase('empty');
    await database.query('CREATE TABLE things (id int, word text); INSERT INTO things VALUES (1, $$one$$)');
    pool = await poolOfOne(database.url);
  });

  afterEach(async () => {
    await pool.destroy();
    await database.drop();
  });

  async function ask(text: string, times = 3): Promise<unknown> {
    let last: unknown;
    for (let time = 0; time < times; time++) last = await pool.query(text, [1]);
    return last;
  }

  const prepared = async (): Promise<string[]> =>
    (await pool.query<Prepared[]>(NAMES)).map(({ statement }) => statement);

  it('are prepared by name, once', async () => {
    const text = 'SELECT word FROM things WHERE id = $1';
    expect(await ask(text, 5)).toEqual([{ word: 'one' }]);
    expect(await prepared()).toEqual([text]);
  });

  it.each([
    ['is used twice', 'SELECT word FROM things WHERE id = $1', 2],
    ['is a list', 'SELECT word FROM things WHERE id = $1 LIMIT 50', 9],
    ['counts', 'SELECT count(*)::int AS n FROM things WHERE id = $1', 9],
    ['is very long', `SELECT word FROM things WHERE id = $1 ${' '.repeat(20_000)}`, 9],
  ])('have no name where a statement %s', async (_, text, times) => {
    await ask(text, times);
    expect(await prepared()).toEqual([]);
  });

  it('have names up to a bound, and work beyond it', async () => {
    for (let n = 0; n < 420; n++) await ask(`SELECT ${n} AS n FROM things WHERE id = $1`);
    expect(await prepared()).toHaveLength(400);
    expect(await ask('SELECT 419 AS n FROM things WHERE id = $1')).toEqual([{ n: 419 }]);
  });

  it('answer after a change of their table, alone and in a transaction', async () => {
    await ask('SELECT * FROM things WHERE id = $1');
    await database.query('ALTER TABLE things ADD COLUMN more int DEFAULT 7');
    expect(await ask('SELECT * FROM things WHERE id = $1')).toEqual([{ id: 1, word: 'one', more: 7 }]);
    await database.query('ALTER TABLE things ALTER COLUMN more TYPE text');
    const found = await pool.manager.transaction(async (db) =>
      db.query<object[]>('SELECT * FROM things WHERE id = $1', [1]),
    );
    expect(found).toEqual([{ id: 1, word: 'one', more: '7' }]);
    expect((await prepared()).length).toBeGreaterThan(0);
  });

  it('answer where a pooler forgot their names, and have none from then on', async () => {
    await ask('SELECT word FROM things WHERE id = $1');
    await pool.query('DEALLOCATE ALL');
    expect(await ask('SELECT word FROM things WHERE id = $1', 5)).toEqual([{ word: 'one' }]);
    expect(await prepared()).toEqual([]);
  });
});

describe('the switch', () => {
  let gateway: TestGateway;

  afterEach(() => gateway.close());

  /** On all connections of the gateway: the view shows only those of its own. */
  async function namesOf(): Promise<Prepared[]> {
    const pool = gateway.app.get(DataSource);
    for (let n = 0; n < 12; n++) await gateway.call('admin', 'GET', '/connections');
    const all = await Promise.all(Array.from({ length: 10 }, () => pool.query<Prepared[]>(NAMES)));
    return all.flat();
  }

  it('is on by itself', async () => {
    gateway = await startGateway();
    expect((await namesOf()).length).toBeGreaterThan(0);
  });

  it('can be turned off for a pooler', async () => {
    gateway = await startGateway({ environment: { DATABASE_PREPARED_STATEMENTS: 'false' } });
    expect(await namesOf()).toEqual([]);
  });
});
