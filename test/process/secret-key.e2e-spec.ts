import { randomBytes } from 'node:crypto';
import { describeProcesses } from '../support/describe';
import { GatewayProcess } from '../support/gateway-process';

/** Starts a gateway with a SECRET_KEY that is not the key that sealed the stored secrets. */
describeProcesses('a start with another secret key', ({ folder, database, production }) => {
  const other = randomBytes(32).toString('base64');
  const idOf = async () =>
    (await database.query<{ key_id: string }>('SELECT key_id FROM key_checks ORDER BY created_at'))[0]
      ?.key_id;

  const environment = (more: Record<string, string> = {}) => ({
    ...production.variables,
    JOURNAL_DIR: folder.path,
    ADMIN_EMAILS: 'admin@example.com',
    ...more,
  });

  async function refused(more: Record<string, string>): Promise<string> {
    const gateway = await GatewayProcess.spawn(environment(more));
    expect((await gateway.exited).code).toBe(1);
    expect(gateway.stdout).not.toContain('listening');
    return gateway.stderr;
  }

  // promises: CONFIG-3
  it('is refused with a sentence, also by workers, before and after something was stored', async () => {
    const first = await GatewayProcess.start(environment());
    const known = await idOf();
    // At this time, the database has only one sealed value: the value by which a start checks its key.
    const sentence = `SECRET_KEY opens none of the secrets that are stored in this database. They were sealed by key ${known}`;
    expect(await refused({ SECRET_KEY: other })).toContain(sentence);

    const secret = { HOST: '127.0.0.1', USER: 'app', PASS: 'x', DB: 'orders' };
    const body = { name: 'orders', type: 'database', subtype: 'postgres', secret };
    expect((await first.post('/connections', await production.token(), body)).status).toBe(201);
    await first.stop();
    expect(await refused({ SECRET_KEY: other })).toContain(sentence);
    expect(await refused({ SECRET_KEY: other, WORKERS: '2' })).toContain(sentence);

    // The new key is accepted together with the old key. The new key alone is refused until all stored
    // secrets are sealed with it.
    const both = await GatewayProcess.start(
      environment({ SECRET_KEY: `${other},${production.variables['SECRET_KEY']}` }),
    );
    await both.stop();
    expect(await refused({ SECRET_KEY: other })).toContain(sentence);
  });
});
