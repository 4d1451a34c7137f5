import { startDataPath } from '../support/data-path';
import type { TestDatabase } from '../support/database';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { keepFeedDown } from '../support/feed';
import { secretOf } from '../support/target';

/**
 * Returns the process ids of the gateway's connections to the target in which nothing has run yet: the
 * connections of this role, or of all roles.
 */
async function unusedOn(target: TestDatabase, role?: string): Promise<number[]> {
  const rows = await target.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename = coalesce($1, usename)
       AND application_name = 'access-gateway' AND state = 'idle' AND query = ''`,
    [role ?? null],
  );
  return rows.map(({ pid }) => pid);
}

/**
 * While scripts run on a target one after another, the gateway opens the next connection in advance. The
 * tests read the list of connections from the target.
 */
describeDataPath('connections that are dialled ahead', ({ path }) => {
  /** Returns the process ids of the gateway's connections to the target in which nothing has run yet. */
  const unused = (name?: string): Promise<number[]> => unusedOn(path.target, name);
  const run = async (script: string, connection = 'orders'): Promise<string> => {
    const { body } = await path.run(script, { connection });
    expect(body).toMatchObject({ output_status: 'success' });
    return (body.output as string).split('\n')[1] ?? '';
  };
  const pidOf = async (connection?: string): Promise<number> =>
    Number(await run('SELECT pg_backend_pid()', connection));
  /** Runs scripts until an unused connection is ready. */
  const keepBusy = (connection?: string): Promise<number[]> =>
    eventually('a connection is ready', async () => {
      await pidOf(connection);
      const ready = await unused();
      return ready.length > 0 && ready;
    });
  const nothingOpen = (): Promise<unknown> =>
    eventually('nothing is open', async () => (await unused()).length === 0);
  /** Creates a role. Returns the fields with which a secret signs in as this role. */
  const role = async (name: string, more = ''): Promise<Record<string, string>> => {
    await path.target.query(`CREATE ROLE ${name} LOGIN PASSWORD 'canary' ${more}`);
    return { USER: name, PASS: 'canary' };
  };

  // promises: RUN-11, RUN-14
  it('are each used by one script', async () => {
    const pids: number[] = [];
    await eventually('a script gets one', async () => {
      const ready = await keepBusy();
      const pid = await pidOf();
      pids.push(pid);
      return ready.includes(pid);
    });
    for (let n = 0; n < 10; n++) pids.push(await pidOf());
    expect(new Set(pids).size).toBe(pids.length);
    await nothingOpen();
  });

  // promises: RUN-11
  it('have nothing of another script', async () => {
    await keepBusy();
    for (let n = 0; n < 5; n++) {
      await run(`SET application_name = 'left behind'; CREATE TEMP TABLE left_behind (); SELECT 1`);
      expect(await run(`SELECT current_setting('application_name')`)).toBe('access-gateway');
      expect(
        await run(`SELECT count(*) FROM pg_class WHERE relname = 'left_behind' AND pg_table_is_visible(oid)`),
      ).toBe('0');
    }
  });

  // promises: RUN-14
  it('are not used after the secret was changed', async () => {
    const [one, two] = [await role('dialled_one'), await role('dialled_two')];
    await path.connect('changing', { secret: { ...secretOf(path.target), ...one } });
    for (const [before, after, name] of [
      ['dialled_one', two, 'dialled_two'],
      ['dialled_two', one, 'dialled_one'],
    ] as const) {
      await keepBusy('changing');
      expect(await run('SELECT current_user', 'changing')).toBe(before);
      const answer = await path.gateway.call('admin', 'PATCH', '/connections/changing', { secret: after });
      expect(answer.status).toBe(200);
      expect(await run('SELECT current_user', 'changing')).toBe(name);
    }
  });

  it('open nothing to a script whose access was withdrawn', async () => {
    await path.connect('withdrawn');
    await keepBusy('withdrawn');
    const patch = (body: object) => path.gateway.call('admin', 'PATCH', '/connections/withdrawn', body);
    expect((await patch({ access_mode_exec: 'disabled' })).status).toBe(200);
    expect((await path.run('SELECT 1', { connection: 'withdrawn' })).status).toBe(403);
    expect((await patch({ access_mode_exec: 'enabled' })).status).toBe(200);
    await keepBusy('withdrawn');
    expect((await path.gateway.call('admin', 'DELETE', '/connections/withdrawn')).status).toBe(204);
    expect((await path.run('SELECT 1', { connection: 'withdrawn' })).status).toBe(404);
    await nothingOpen();
  });

  it('are not used once the target closed them', async () => {
    for (let n = 0; n < 3; n++) {
      const ready = await keepBusy();
      await path.target.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [ready]);
      await eventually('they are gone', async () => !(await unused()).some((pid) => ready.includes(pid)));
      expect(ready).not.toContain(await pidOf());
    }
  });

  // promises: RUN-14
  it.each([1, 2, 5])('leave room at a target that takes %i connections', async (limit) => {
    const name = `limited_to_${limit}`;
    const secret = { ...secretOf(path.target), ...(await role(name, `CONNECTION LIMIT ${limit}`)) };
    await path.connect(name, { secret });
    for (let n = 0; n < 10; n++) {
      await pidOf(name);
      expect(await unused(name)).toEqual([]);
    }
  });

  // promises: RUN-14
  it('are not used, and none is dialled, while nobody tells of changes', async () => {
    await keepBusy();
    const up = await keepFeedDown(path.gateway);
    try {
      await nothingOpen();
      for (let n = 0; n < 5; n++) {
        await pidOf();
        expect(await unused()).toEqual([]);
      }
    } finally {
      await up();
    }
    await keepBusy();
  });

  it('are all closed when the gateway stops', async () => {
    const own = await startDataPath();
    await eventually('a connection is ready', async () => {
      await own.run('SELECT 1');
      return (await unusedOn(own.target)).length > 0;
    });
    await own.gateway.close();
    await eventually('nothing is open', async () => (await unusedOn(own.target)).length === 0);
    await own.target.drop();
  });
});

describeDataPath(
  'without connections that are dialled ahead',
  { environment: { SCRIPTS_DIAL_AHEAD: '0' } },
  ({ path }) => {
    it('a target has only those of scripts', async () => {
      for (let n = 0; n < 6; n++) {
        expect((await path.run('SELECT 1')).body).toMatchObject({ output_status: 'success' });
        expect(await unusedOn(path.target)).toEqual([]);
      }
    });
  },
);
