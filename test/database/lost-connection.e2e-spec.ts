import { DataSource } from 'typeorm';
import { queryPool } from '../../src/platform/database/pools/query-pool';
import { freshDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { startTcpProxy } from '../support/tcp-proxy';

describe('a statement on the pool', () => {
  it('rejects when its connection is cut off, and the process goes on', async () => {
    const database = await freshDatabase('empty');
    const url = new URL(database.url);
    const wire = await startTcpProxy(url.hostname, Number(url.port));
    url.port = String(wire.port);
    const source = await new DataSource({ type: 'postgres', url: url.href, poolSize: 2 }).initialize();
    const unhandled = jest.fn();
    process.on('uncaughtExceptionMonitor', unhandled);
    try {
      const sleeping = queryPool(source, 'SELECT pg_sleep(600)', []);
      const runs = () =>
        database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%'`,
        );
      await eventually('the statement runs', async () => (await runs()).length === 1);
      wire.cut();
      await expect(sleeping).rejects.toThrow('Connection terminated unexpectedly');
      expect(await queryPool(source, 'SELECT 1 AS one', [])).toEqual([{ one: 1 }]);
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off('uncaughtExceptionMonitor', unhandled);
      await source.destroy();
      await wire.close();
      await database.drop();
    }
  });
});
