import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SecretBox } from '../../src/platform/keys/secret-box';
import { describeProcesses } from '../support/describe';
import { GatewayProcess, until } from '../support/gateway-process';
import { columnsSealedBy, sealingIdOf } from '../support/sealed-columns';
import { secretOf } from '../support/target';
import { ROOT } from '../support/root';

/** Number of connections, large enough that a rotation can be killed in the middle. */
const CONNECTIONS = 900;

/** Rotates keys while a gateway writes. The rotation is killed in the middle, stopped, and run again. */
describeProcesses('npm run rotate-keys', ({ folder, database, target, production }) => {
  let token: string;
  const [fresh, old] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64')) as [
    string,
    string,
  ];

  beforeAll(async () => {
    token = await production.token();
  });

  const start = (key: string) =>
    GatewayProcess.start({
      ...production.variables,
      SECRET_KEY: key,
      JOURNAL_DIR: folder.path,
      ADMIN_EMAILS: 'admin@example.com',
    });

  const rotation = (key: string) => {
    const child = spawn(process.execPath, ['dist/bundle/rotate-keys.js'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], DATABASE_URL: database.url, SECRET_KEY: key },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (data: Buffer) => (text += data.toString()));
    const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
    return { child, exited, said: () => text };
  };
  /** Starts a rotation, and sends it the signal as soon as it reports this number of rows. */
  const cut = async (signal: NodeJS.Signals, rows: number) => {
    const run = rotation(`${fresh},${old}`);
    await until(() => new RegExp(`connections: ${rows} of`).test(run.said()) || hasEnded(run.child));
    run.child.kill(signal);
    return { code: await run.exited, said: run.said() };
  };
  const hasEnded = (child: ChildProcess) => child.exitCode !== null;
  const sealedBy = async (key: string) => {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM connections WHERE encode(substring(secret FROM 2 FOR 4), 'hex') = $1`,
      [sealingIdOf(key)],
    );
    return row?.count ?? 0;
  };
  const bodyOf = (name: string) => ({
    name,
    type: 'database',
    subtype: 'postgres',
    secret: secretOf(target),
    access_groups: ['*'],
  });
  const run = async (gateway: GatewayProcess, connection = 'orders') => {
    const answer = await gateway.post('/sessions', token, { connection, script: 'SELECT 1 AS a' });
    const body = (await answer.json()) as { session_id: string; output: string };
    expect(body.output).toBe('a\n1\n');
    return body.session_id;
  };

  /** Creates copies of a connection, sealed with `key` as the gateway seals them. */
  const multiply = async (key: string) => {
    const rows = await database.query<{ org_id: string; id: string }>(
      `INSERT INTO connections SELECT (jsonb_populate_record(connections, jsonb_build_object(
         'id', gen_random_uuid(), 'name', 'copy-' || n))).*
       FROM connections, generate_series(1, ${CONNECTIONS}) AS n WHERE name = 'orders' RETURNING org_id, id`,
    );
    const box = new SecretBox({ keys: [Buffer.from(key, 'base64')] });
    const sealed = rows.map(({ org_id, id }) => box.seal(secretOf(target), `connection:${org_id}:${id}`));
    await database.query(
      `UPDATE connections SET secret = decode(sealed, 'hex') FROM unnest($1::uuid[], $2::text[]) AS s (row, sealed)
       WHERE id = row`,
      [rows.map(({ id }) => id), sealed.map((bytes) => bytes.toString('hex'))],
    );
  };

  // promises: VERIFY-5, VERIFY-6, CONFIG-3
  it('seals everything again while a gateway runs and writes, even if killed and repeated', async () => {
    const first = await start(old);
    expect((await first.post('/connections', token, bodyOf('orders'))).status).toBe(201);
    const webhook = { url: 'https://example.com/hook', events: ['session.ended'] };
    expect((await first.post('/webhooks', token, webhook)).status).toBe(201);
    const session = await run(first);
    const evidence = await first.get(`/sessions/${session}?extension=evidence`, token);
    await writeFile(join(folder.path, 'old.evidence'), await evidence.text());
    await first.stop();
    await multiply(old);

    const gateway = await start(`${fresh},${old}`);
    const over = new AbortController();
    const busy = (async () => {
      for (let count = 1; !over.signal.aborted; count++) {
        await run(gateway);
        await run(gateway, `copy-${count}`);
        const name = `new-${count}`;
        expect((await gateway.post('/connections', token, bodyOf(name))).status).toBe(201);
        await run(gateway, name);
        await pause(250);
      }
    })();
    const killed = await cut('SIGKILL', 300);
    expect(killed.said).toMatch(/connections: \d+ of 9\d\d sealed anew/);
    expect(await sealedBy(old)).toBeGreaterThan(0);
    expect(await sealedBy(fresh)).toBeGreaterThan(0);
    const stopped = await cut('SIGINT', 100);
    expect([stopped.code, stopped.said]).toEqual([
      130,
      expect.stringContaining('run the command again to continue'),
    ]);
    expect(await sealedBy(old)).toBeGreaterThan(0);
    const last = rotation(`${fresh},${old}`);
    expect([await last.exited, last.said()]).toEqual([0, expect.stringContaining('can be removed')]);
    over.abort();
    await busy;
    await gateway.stop();
    expect(await sealedBy(old)).toBe(0);

    // The old key alone decrypts no stored secret any more. The new key alone decrypts all of them.
    const refused = await GatewayProcess.spawn({ ...production.variables, SECRET_KEY: old });
    expect([(await refused.exited).code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('opens none of the secrets that are stored'),
    ]);
    const renewed = await start(fresh);
    for (const name of ['orders', 'copy-1', `copy-${CONNECTIONS}`, 'new-1']) await run(renewed, name);
    const verified = await (await renewed.get(`/sessions/${session}/verify`, token)).json();
    expect(verified).toMatchObject({
      status: 'valid',
      sealed: true,
      unknown_keys: [],
      entries: expect.arrayContaining([
        expect.objectContaining({ kind: 'closed', key_id: sealingIdOf(old) }),
      ]),
    });
    expect(await (await renewed.get('/sessions/verify', token)).json()).toMatchObject({
      status: 'valid',
      faults: [],
    });

    // An auditor needs only the public keys. They still include the key that was rotated out.
    const keys = await renewed.get('/evidence-keys');
    const text = await keys.text();
    expect((JSON.parse(text) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid).sort()).toEqual(
      [sealingIdOf(fresh), sealingIdOf(old)].sort(),
    );
    await writeFile(join(folder.path, 'keys.json'), text);
    const proof = spawnSync(
      process.execPath,
      [join(ROOT, 'dist/bundle/verify-recording.js'), 'old.evidence', '--public-keys', 'keys.json'],
      { cwd: folder.path, env: { PATH: process.env['PATH'] }, encoding: 'utf8' },
    );
    expect([proof.status, proof.stdout]).toEqual([
      0,
      expect.stringContaining('The signature of the file is valid'),
    ]);
    await renewed.stop();

    // A further rotation finds nothing to do. A rotation with a key that opens no stored secret is refused.
    const again = rotation(fresh);
    expect([await again.exited, again.said()]).toEqual([
      0,
      expect.stringContaining('Everything is sealed by'),
    ]);
    const wrong = rotation(randomBytes(32).toString('base64'));
    expect([await wrong.exited, wrong.said()]).toEqual([
      2,
      expect.stringContaining('opens none of the secrets'),
    ]);
  });

  it('knows every column that holds something sealed', async () => {
    expect(await columnsSealedBy(database, fresh, old)).toEqual([
      'connections.secret',
      'key_checks.check_value',
      'sessions.seal',
      'webhooks.secret',
    ]);
  });
});
