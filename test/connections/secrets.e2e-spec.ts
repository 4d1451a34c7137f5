import { SealingSettings } from '../../src/platform/config/groups';
import { describeDataPath, describeScoped } from '../support/describe';
import { dump, spellings } from '../support/canary';
import { startGateway } from '../support/gateway';
import { secretOf } from '../support/target';

/** The secrets of connections: they open the target, and are never seen again. */
describeDataPath('connections', ({ path }) => {
  let count = 0;

  const postgres = (secret: object = {}) => ({
    name: `connection-${++count}`,
    type: 'database',
    subtype: 'postgres',
    secret: { HOST: 'db', USER: 'app', DB: 'orders', ...secret },
  });
  const post = (body: object) => path.gateway.call('admin', 'POST', '/connections', body);

  // promises: CONNECTION-2
  it('take secrets in base64, as the reference system’s clients send them', async () => {
    const encoded = Object.entries(secretOf(path.target)).map(([name, value]) => [
      `envvar:${name}`,
      Buffer.from(value).toString('base64'),
    ]);
    await path.connect('encoded', { secret: Object.fromEntries(encoded) });
    expect((await path.run('SELECT 1 AS a', { connection: 'encoded' })).body).toMatchObject({
      output: 'a\n1\n',
    });
  });

  // promises: CONNECTION-3
  it('keep their secrets out of the database, the answers and the recordings', async () => {
    const canary = 'canary-5f1c0a';
    const answers = [
      await post({
        ...postgres({ PASS: canary, USER: `${canary}-user`, HOST: `${canary}.invalid` }),
        name: 'sealed',
      }),
      await path.run('SELECT 1', { connection: 'sealed' }),
      await post({ ...postgres({ PASS: canary }), name: 'sealed' }),
      await post({ ...postgres({ PASS: canary, SSLMODE: canary, PORT: canary, [`X_${count}`]: canary }) }),
      await post({ ...postgres({ 'envvar:PASS': Buffer.from(`${canary}\0`).toString('base64') }) }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([201, 200, 409, 422, 422]);
    answers.push(await path.read(answers[1]!.body.session_id, '?expand=event_stream,session_input'));
    const everything = [...answers.map((answer) => answer.text), await dump(path.gateway.database)].join(
      '\n',
    );
    for (const form of spellings(canary)) expect(everything).not.toContain(form);
    expect(everything).toContain('sealed');
  });

  it('open their secrets after a key change while the old key is given, and fail with a reason otherwise', async () => {
    const old = path.gateway.app
      .get(SealingSettings)
      .keys.map((key) => key.toString('base64'))
      .join(',');
    const fresh = Buffer.alloc(32, 7).toString('base64');
    const rotated = await startGateway({
      beside: path.gateway,
      environment: { SECRET_KEY: `${fresh},${old}` },
    });
    const renewed = await startGateway({ beside: path.gateway, environment: { SECRET_KEY: fresh } });
    const run = async (gateway: typeof rotated, connection: string) =>
      (await gateway.call('admin', 'POST', '/sessions', { connection, script: 'SELECT 1 AS a' })).body;
    expect(await run(rotated, 'orders')).toMatchObject({ output: 'a\n1\n' });
    const failed = await run(renewed, 'orders');
    expect(failed).toMatchObject({
      output: 'The secret of this connection could not be opened. Please tell an administrator.\n',
      output_status: 'failed',
      exit_code: 254,
    });
    expect((await path.read(failed.session_id)).body).toMatchObject({ status: 'done', exit_code: 254 });
    await rotated.call('admin', 'POST', '/connections', {
      ...postgres(secretOf(path.target)),
      name: 'new-key',
    });
    expect(await run(renewed, 'new-key')).toMatchObject({ output: 'a\n1\n' });
    await Promise.all([rotated.close(), renewed.close()]);
  });

  describeScoped('that no key opens any more', (begin) => {
    const SECRET_KEY = Buffer.alloc(32, 9).toString('base64');
    const renewed = begin(() => startGateway({ beside: path.gateway, environment: { SECRET_KEY } }));
    const change = (method: string, name: string, body: object) =>
      renewed.call('admin', method, `/connections/${name}`, body);
    const run = async (connection: string) =>
      (await renewed.call('admin', 'POST', '/sessions', { connection, script: 'SELECT 1 AS a' })).body;

    it.each(['PUT', 'PATCH'])('are replaced by a %s with another one', async (method) => {
      const body = { ...postgres(), secret: secretOf(path.target), name: `lost-${method}` };
      expect((await post(body)).status).toBe(201);
      expect(await change(method, body.name, body)).toMatchObject({ status: 200 });
      expect(await run(body.name)).toMatchObject({ output: 'a\n1\n' });
    });

    it('are unchanged by a PATCH of other fields', async () => {
      const body = { ...postgres(), secret: secretOf(path.target) };
      await post(body);
      expect(await change('PATCH', body.name, { description: 'moved' })).toMatchObject({
        status: 200,
        body: { description: 'moved', secret: { HOST: '' } },
      });
      // The gateway that has the encryption key can still decrypt the secret.
      expect((await path.run('SELECT 1 AS a', { connection: body.name })).body).toMatchObject({
        output: 'a\n1\n',
      });
    });

    it.each([
      ['PUT', { PASS: 'new', USER: '', HOST: 'db', DB: 'orders' }, 'secret.USER'],
      ['PATCH', { PASS: 'new', HOST: 'db' }, 'secret.DB, secret.USER'],
    ])('cannot be kept in part by a %s', async (method, secret, missing) => {
      const body = postgres();
      await post(body);
      const answer = await change(method, body.name, { ...body, secret });
      expect([answer.status, answer.body.message]).toEqual([
        422,
        `no key in SECRET_KEY opens the stored secret, so its values cannot be kept; send ${missing} too`,
      ]);
    });
  });

  it('do not open a secret that was moved to another row', async () => {
    await post({ ...postgres(), name: 'thief' });
    await path.gateway.database.query(
      `UPDATE connections SET secret = (SELECT secret FROM connections WHERE name = 'orders') WHERE name = 'thief'`,
    );
    expect((await path.run('SELECT 1', { connection: 'thief' })).body).toMatchObject({
      output_status: 'failed',
      output: expect.stringMatching(/^The secret of this connection could not be opened/),
    });
  });
});
