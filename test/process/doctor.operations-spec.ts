import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Diagnosis } from '../../src/operations/doctor/diagnosis';
import { SmallS3 } from '../support/archive/small-s3';
import { freshDatabase } from '../support/database';
import { describeProcesses } from '../support/describe';
import { freePort } from '../support/gateway';
import { GatewayProcess } from '../support/gateway-process';
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider';
import { startPooler, whyWithoutPooler } from '../support/pooler';
import { ROOT } from '../support/root';
import { secretOf } from '../support/target';
import { makeExpiredCertificate, whyWithout } from '../support/tls';

interface Answer {
  readonly code: number | null;
  readonly checks: readonly Diagnosis[];
}

const CHECKS = [
  'version',
  'settings',
  'addresses',
  'ports',
  'tls',
  'database',
  'migrations',
  'change feed',
  'secret key',
  'targets',
  'organization',
  'journal',
  'identity provider',
];
const SECRETS = ['SECRET_KEY', 'IDP_CLIENT_SECRET', 'ARCHIVE_SECRET_ACCESS_KEY'];
/** Matches warnings that the test server causes: it is on loopback, not durable, and used by a superuser. */
const OF_TESTS = /only programs on this machine|superuser|fsync=off|in memory/;

/** Runs the doctor as an operator does, on configurations that have real faults. */
describeProcesses('npm run doctor', ({ folder, database, target, production, begin }) => {
  const given = begin(
    async () => {
      // Enables this feature, as in new organizations. In test databases it is off.
      await database.query(`UPDATE organizations SET features = features || '{"access_control": true}'`);
      return environment();
    },
    () => undefined,
  );
  const gateway = begin(
    () => GatewayProcess.start(given),
    (it) => it.stop(),
  );

  async function environment(): Promise<Record<string, string>> {
    return {
      ...production.variables,
      POSTGRES_PROXY_PORT: String(await freePort()),
      // TEST_FOLDER is in memory, because the disk of a busy machine may be too slow.
      JOURNAL_DIR: await mkdtemp(join(process.env['TEST_FOLDER'] ?? folder.path, 'journals-')),
    };
  }

  const spoken = async (
    more: Record<string, string>,
    args: string[],
  ): Promise<{ code: number | null; text: string }> => {
    const env = { ...given, ...more };
    const child = spawn(process.execPath, ['dist/bundle/doctor.js', ...args], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: join(ROOT, 'dist', '.compile-cache'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [text, complaints] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (text += data.toString()));
    child.stderr.on('data', (data: Buffer) => (complaints += data.toString()));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    expect(complaints).toBe('');
    const { password } = new URL(env['DATABASE_URL'] ?? 'postgres://none');
    for (const secret of [password, ...SECRETS.map((name) => env[name])])
      if (secret !== undefined && secret !== '') expect(text).not.toContain(secret);
    return { code, text };
  };
  const examine = async (more: Record<string, string> = {}, ...args: string[]): Promise<Answer> => {
    const { code, text } = await spoken(more, ['--json', ...args]);
    return { code, checks: (JSON.parse(text) as { checks: Diagnosis[] }).checks };
  };
  const wrong = ({ checks }: Answer): string[] =>
    checks
      .filter(({ state, message }) => state !== 'ok' && !OF_TESTS.test(message))
      .map(({ check, state, message, advice }) => `${state} ${check}: ${message} ${advice}`);
  /** Expects that exactly these lines report faults. Each pattern matches a fault and its advice. */
  const expectWrong = (answer: Answer, code: number, ...sentences: RegExp[]): void => {
    expect(wrong(answer)).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
    expect(answer.code).toBe(code);
  };

  // promises: DOCTOR-1, DOCTOR-2
  it('finds nothing wrong beside a gateway that works, and leaves nothing behind', async () => {
    const token = await production.token();
    const body = { name: 'orders', type: 'database', subtype: 'postgres', secret: secretOf(target) };
    expect((await gateway.post('/connections', token, body)).status).toBe(201);
    const answer = await examine();
    expectWrong(answer, 0);
    expect([...new Set(answer.checks.map(({ check }) => check))].sort()).toEqual(CHECKS.toSorted());
    expect(await database.query(`SELECT FROM pg_class WHERE relname LIKE 'doctor%'`)).toEqual([]);
    const { code, text } = await spoken({}, []);
    expect([code, text]).toEqual([0, expect.stringMatching(/^ok {7}ports: A gateway serves here already/m)]);
    expect(text).toMatch(/\n0 faults, \d warnings?\.\n$/);
  });

  // promises: DOCTOR-2
  it('says of the database: wrong password, no such database, nobody there, no rights, another key', async () => {
    const at = (change: (url: URL) => void): Record<string, string> => {
      const url = new URL(database.url);
      change(url);
      return { DATABASE_URL: url.href };
    };
    expectWrong(
      await examine(at((url) => (url.password = 'canary-wrong'))),
      1,
      /^fault database: .* refuses the user or the password .*pg_hba/,
    );
    expectWrong(
      await examine(at((url) => (url.pathname = '/nowhere'))),
      1,
      /^fault database: .* has no database of that name .*CREATE DATABASE/,
    );
    const port = await freePort();
    expectWrong(
      await examine(at((url) => (url.port = String(port)))),
      1,
      /^fault database: .* cannot be reached .*ECONNREFUSED.* Start it/,
    );
    const [role, password] = ['doctor_reader', randomBytes(8).toString('hex')];
    await database.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
    try {
      await database.query(`GRANT pg_read_all_data TO ${role}; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
      const poor = at((url) => Object.assign(url, { username: role, password }));
      expectWrong(
        await examine(poor),
        1,
        /^fault database: The role may not create tables .* GRANT CREATE/,
        /^fault database: The role may not read and write the table \w+ and \d+ more\. .*REASSIGN OWNED/,
      );
      await database.query(`GRANT CREATE ON SCHEMA public TO ${role}; GRANT pg_write_all_data TO ${role}`);
      expectWrong(
        await examine(poor),
        0,
        /^warning database: The role is not the owner of the table \w+ and \d+ more: a later migration/,
      );
    } finally {
      await database.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
    const other = await examine({ SECRET_KEY: randomBytes(32).toString('base64') });
    expectWrong(
      other,
      1,
      /^fault secret key: .* opens nothing in this database/,
      /^warning targets: Connection orders: no key/,
    );
  });

  // promises: DOCTOR-2
  it('says of settings: variables that look like ours, a bucket of no such name', async () => {
    expectWrong(
      await examine({ WROKERS: '4', IDP_CLIENT_SECERT: 'canary', SECRET_KEYS: 'canary', WORKER_ID: '1' }),
      0,
      /^warning settings: WROKERS is set, and the gateway does not read it\. Is WORKERS meant\?/,
      /^warning settings: IDP_CLIENT_SECERT is set, .* Is IDP_CLIENT_SECRET meant\?/,
      /^warning settings: SECRET_KEYS is set, .* Is SECRET_KEY meant\?/,
    );
    for (const ARCHIVE_BUCKET of ['Recordings', 'a..b', '10.0.0.1', 'recordings-', 'it', 'x'.repeat(64)])
      expect([
        ARCHIVE_BUCKET,
        ...wrong(await examine({ ARCHIVE_BUCKET, ARCHIVE_URL: 'https://s3.example.com' })),
      ]).toContainEqual(
        expect.stringMatching(/^fault settings: ARCHIVE_BUCKET: must be the name of a bucket: 3 to 63 /),
      );
  });

  // promises: DOCTOR-2
  it('says of the port: a gateway of another database', async () => {
    const other = await freshDatabase();
    try {
      await other.query(`UPDATE organizations SET features = features || '{"access_control": true}'`);
      expectWrong(
        await examine({ DATABASE_URL: other.url }),
        1,
        /^fault ports: PORT, port \d+ on \S+, is served by a gateway of another database\. Stop it, set PORT/,
      );
    } finally {
      await other.drop();
    }
  });

  // promises: DOCTOR-2
  it('says of the replica: nobody there, the database itself', async () => {
    const port = await freePort();
    expectWrong(
      await examine({ DATABASE_REPLICA_URL: `postgres://canary:canary@127.0.0.1:${port}/none` }),
      0,
      /^warning replica: The replica of DATABASE_REPLICA_URL cannot be reached .* the database itself answers/,
    );
    expectWrong(
      await examine({ DATABASE_REPLICA_URL: database.url }),
      0,
      /^warning replica: DATABASE_REPLICA_URL leads to a server that is no standby\./,
    );
  });

  // promises: DOCTOR-1, DOCTOR-2
  it('says of the bucket for recordings: all is well, locks that do not hold, missing rights, nobody there', async () => {
    const s3 = await SmallS3.start();
    const { variables } = s3;
    const refusing = (status: number, wanted: (request: string) => boolean): void => {
      s3.disturb = ({ method, url }, response) => {
        if (!wanted(`${method} ${url}`)) return false;
        response.writeHead(status).end('<Error><Code>AccessDenied</Code></Error>');
        return true;
      };
    };
    const rights = / See docs\/operations\/archive\.md .*stay in PostgreSQL\.$/.source;
    try {
      const well = await examine(variables, '--no-targets');
      expectWrong(well, 0);
      expect(well.checks.filter(({ check }) => check === 'archive').map(({ message }) => message)).toEqual([
        'The bucket stores, locks (compliance), holds, reads, lists and removes objects.',
      ]);
      expect(s3.found('access-gateway-check-')).toEqual([]);

      s3.disturb = ({ method }) => {
        if (method === 'DELETE') for (const object of s3.found('')) object.lockedUntil = 0;
        return false;
      };
      expectWrong(
        await examine(variables, '--no-targets'),
        1,
        new RegExp(
          `^fault archive: The bucket removes what is locked: .*BypassGovernanceRetention\\)\\.${rights}`,
        ),
      );
      refusing(403, (request) => request.startsWith('DELETE'));
      expectWrong(
        await examine({ ...variables, ARCHIVE_LOCK: 'off' }, '--no-targets'),
        1,
        new RegExp(
          `^fault archive: Objects cannot be removed \\(s3:DeleteObjectVersion\\): .*AccessDenied.*${rights}`,
        ),
      );
      refusing(403, (request) => /^PUT|object-lock/.test(request));
      expectWrong(
        await examine(variables, '--no-targets'),
        1,
        new RegExp(`^fault archive: Object Lock cannot be asked for .*${rights}`),
        new RegExp(`^fault archive: Objects cannot be stored \\(s3:PutObject\\): .*${rights}`),
      );
    } finally {
      await s3.close();
    }
    expectWrong(
      await examine(variables, '--no-targets'),
      1,
      /^fault archive: .* cannot be reached \(ECONNREFUSED\)/,
    );
  });

  // promises: DOCTOR-2
  it('says of migrations, the journal, ports, targets and settings', async () => {
    await database.query(
      `INSERT INTO schema_migrations (timestamp, name) VALUES (1999999999999, 'Later1999999999999')`,
    );
    expectWrong(await examine(), 1, /^fault migrations: A newer version .*Later1999999999999/);
    await database.query(`DELETE FROM schema_migrations WHERE name = 'Later1999999999999'`);

    const file = join(folder.path, 'file');
    await writeFile(file, '');
    expectWrong(await examine({ JOURNAL_DIR: file }), 1, /^fault journal: .* its folder is a file\. Choose/);
    const dead = join(folder.path, 'dead');
    await mkdir(join(dead, 'gone'), { recursive: true });
    await writeFile(
      join(dead, 'gone', 'owner.json'),
      JSON.stringify({ gatewayId: 'gone', pid: 2 ** 22 + 1, started: 'x' }),
    );
    expectWrong(
      await examine({ JOURNAL_DIR: dead }),
      0,
      /^warning journal: .* ended without storing it\. Start a gateway/,
    );

    const occupant = createServer((socket) => socket.destroy());
    await new Promise<void>((listening) => occupant.listen(0, '127.0.0.1', listening));
    const { port } = occupant.address() as { port: number };
    expectWrong(
      await examine({ POSTGRES_PROXY_PORT: String(port) }),
      1,
      /^fault ports: POSTGRES_PROXY_PORT, port \d+ on 127.0.0.1, is used by something else/,
    );
    await new Promise((closed) => occupant.close(closed));

    await database.query(`ALTER DATABASE ${new URL(target.url).pathname.slice(1)} ALLOW_CONNECTIONS false`);
    expectWrong(
      await examine(),
      0,
      /^warning targets: Connection orders: The database .* Correct its secret/,
    );
    expectWrong(await examine({}, '--no-targets'), 0);
    await database.query(`ALTER DATABASE ${new URL(target.url).pathname.slice(1)} ALLOW_CONNECTIONS true`);

    expectWrong(
      await examine({ PORT: '80a', LOG_LEVEL: 'loud' }),
      1,
      /^fault settings: PORT: must be/,
      /^fault settings: LOG_LEVEL/,
    );
    expectWrong(
      await examine({ API_URL: 'https://127.0.0.1', IDP_CLIENT_SECRET: '' }),
      1,
      /^warning settings: IDP_CLIENT_SECRET/,
      /^warning addresses: .* TRUST_PROXY is 0/,
      /^warning identity provider: .* Register exactly/,
      /^fault identity provider: .* without a secret/,
    );
  });

  // promises: DOCTOR-2
  it('says of the identity provider: gone, another secret, other keys, another clock', async () => {
    const port = await freePort();
    expectWrong(
      await examine({ IDP_ISSUER: `http://127.0.0.1:${port}` }),
      1,
      /^fault identity provider: .*cannot be discovered .*ECONNREFUSED.* Correct IDP_ISSUER/,
    );
    expectWrong(
      await examine({ IDP_CLIENT_SECRET: 'canary-other' }),
      1,
      /^fault identity provider: .* does not take the secret of client access-gateway/,
    );
    expectWrong(
      await examine({ IDP_OPAQUE_TOKENS: 'auto' }),
      0,
      /^warning identity provider: Access tokens that are no JWT are accepted from every client .* Set IDP_OPAQUE_TOKENS=refused/,
    );
    expectWrong(
      await examine({ IDP_OPAQUE_TOKENS: 'introspection' }),
      1,
      /^fault identity provider: IDP_OPAQUE_TOKENS is introspection, .* no introspection endpoint/,
    );
    await examineIntrospection();
    const provider = await startHostileProvider();
    try {
      await examineHostile(provider);
    } finally {
      await provider.close();
    }
  });

  async function examineIntrospection(): Promise<void> {
    const provider = await startHostileProvider({ introspection_endpoint: '/introspection' });
    const introspecting = { IDP_ISSUER: provider.issuer, IDP_OPAQUE_TOKENS: 'auto' };
    const said = async (): Promise<string[]> =>
      wrong(await examine(introspecting)).filter((line) => line.includes('introspect'));
    try {
      expect(await said()).toEqual([]);
      provider.introspection = { status: 200, body: { active: true } };
      expect(await said()).toEqual([
        expect.stringMatching(/^fault .* calls a token active that nobody issued/),
      ]);
      provider.introspection = { status: 401, body: { error: 'invalid_client' } };
      expect(await said()).toEqual([
        expect.stringMatching(/^fault .* does not let this client introspect tokens/),
      ]);
    } finally {
      await provider.close();
    }
  }

  async function examineHostile(provider: HostileProvider): Promise<void> {
    provider.keys = [{ kty: 'oct', k: 'AAAA' }];
    provider.instead.set('/.well-known/openid-configuration', (_, response) => {
      response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          issuer: provider.issuer,
          jwks_uri: `${provider.issuer}/jwks`,
          id_token_signing_alg_values_supported: ['HS256'],
        }),
      );
    });
    const found = wrong(await examine({ IDP_ISSUER: provider.issuer }));
    expect(found).toEqual([
      expect.stringMatching(/^fault identity provider: .* signs with HS256 only/),
      expect.stringMatching(/^fault identity provider: .* no authorization or no token endpoint/),
      expect.stringMatching(/^fault identity provider: Of the 1 keys at .*, the gateway can use none/),
      expect.stringMatching(/^fault identity provider: The clocks .* differ by 3\d{3} s/),
    ]);
  }

  // promises: DOCTOR-2
  it('says of what was opened: access, the first admin, unverified targets, files with secrets', async () => {
    const token = await production.token();
    const send = async (method: string, path: string, body?: object): Promise<void> => {
      const answer = await fetch(`${gateway.api}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect([answer.ok, path]).toEqual([true, path]);
    };
    await send('PATCH', '/organization', { features: { access_control: false } });
    expectWrong(await examine(), 0, /^warning organization: Access Control of .* is off.* Turn it on/);
    await send('PATCH', '/organization', { features: { access_control: true } });
    expectWrong(
      await examine({ ADMIN_EMAILS: 'somebody@example.com' }),
      0,
      /^warning organization: ADMIN_EMAILS is still set.* Unset it/,
    );

    const secret = { ...secretOf(target), HOST: 'database.invalid', SSLMODE: 'require' };
    await send('POST', '/connections', { name: 'far', type: 'database', subtype: 'postgres', secret });
    expectWrong(
      await examine(),
      0,
      /^warning targets: Connection far: /,
      /^warning targets: Anything on the way .* connections could stand in for them: far\. Set SSLMODE=verify-full/,
    );
    await send('DELETE', '/connections/far');

    const file = join(folder.path, 'secret-key');
    await writeFile(file, given['SECRET_KEY'] ?? '', { mode: 0o604 });
    const fromFile = { SECRET_KEY: '', SECRET_KEY_FILE: file };
    expectWrong(
      await examine(fromFile),
      0,
      /^warning secret files: Every user .* may read SECRET_KEY_FILE\. chmod 600/,
    );
    await chmod(file, 0o640);
    expectWrong(await examine(fromFile), 0);
  });

  // promises: DOCTOR-2
  it('says of the certificate: its end, its names, who reads its key', async () => {
    const why = whyWithout('openssl');
    if (why !== undefined) return console.warn(`not tested: ${why}`);
    const [cert, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
    const served = { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, TLS_PORTS: 'postgres' };
    const pair = makeExpiredCertificate();
    await writeFile(cert, pair.cert);
    await writeFile(key, pair.key, { mode: 0o604 });
    expectWrong(
      await examine({ ...served, POSTGRES_PROXY_HOST: 'pg.example.com' }),
      1,
      /^fault tls: The certificate expired on \d{4}-\d\d-\d\d\. Renew it/,
      /^warning tls: The certificate is not for pg.example.com/,
      /^warning tls: Every user .* chmod 600/,
    );
  });

  // promises: DOCTOR-2
  it('says of a pooler in transaction mode', async () => {
    const why = whyWithoutPooler();
    if (why !== undefined) return console.warn(`not tested: ${why}`);
    const strict = await startPooler(database.url, []);
    const mild = await startPooler(database.url, ['idle_in_transaction_session_timeout']);
    try {
      expectWrong(
        await examine({ DATABASE_URL: strict.url }),
        1,
        /^fault database: A pooler .* refuses the gateway .* ignore_startup_parameters/,
      );
      // A gateway that starts reports the same fault.
      const refused = await GatewayProcess.spawn({ ...given, DATABASE_URL: strict.url });
      expect(await refused.exited).toMatchObject({ code: 1 });
      expect(refused.stderr).toMatch(
        /A pooler .* refuses the gateway .*Add idle_in_transaction_session_timeout to its ignore_startup_parameters/,
      );
      expectWrong(
        await examine({ DATABASE_URL: mild.url }),
        1,
        /^fault change feed: .* pooler in transaction mode\. Let DATABASE_URL lead to the server/,
      );
    } finally {
      await strict.close();
      await mild.close();
    }
  });
});
