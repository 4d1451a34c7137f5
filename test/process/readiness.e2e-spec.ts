import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeProcesses } from '../support/describe';
import { GatewayProcess, until } from '../support/gateway-process';
import { type TcpProxy, startTcpProxy } from '../support/tcp-proxy';

const STARTS_WITHIN_MS = 240_000;

/** Tests the answers for load balancers, while a gateway works and before it stops. */
describeProcesses('readiness', ({ folder, database, production }) => {
  let gateway: GatewayProcess | undefined;

  afterEach(async () => {
    gateway?.kill('SIGKILL');
    await gateway?.exited;
  });

  const readiness = async (of: GatewayProcess): Promise<[number, unknown]> => {
    const response = await of.get('/readyz');
    return [response.status, await response.json()];
  };

  /** Stops the gateway with SIGTERM. It must report "not ready" for a while, and still serve requests. */
  async function expectToLeave(leaving: GatewayProcess): Promise<void> {
    leaving.kill('SIGTERM');
    await leaving.says('finishing what runs');
    await until(async () => (await readiness(leaving))[0] === 503);
    const token = await production.token();
    expect(await readiness(leaving)).toEqual([503, { message: 'this gateway is stopping' }]);
    expect((await leaving.get('/userinfo', token)).status).toBe(200);
    expect(await leaving.exited).toEqual({ code: 0, signal: null });
  }

  // promises: READY-1
  it(
    'the journal is tried: at the start, and again and again; SIGTERM says no for a while, and serves meanwhile',
    async () => {
      const JOURNAL_DIR = join(folder.path, 'journal');
      // Puts a file at the path of the journal folder. Even root cannot create a folder below a file.
      await writeFile(JOURNAL_DIR, '');
      gateway = await GatewayProcess.start({
        ...production.variables,
        JOURNAL_DIR,
        SHUTDOWN_DELAY_SECONDS: '6',
      });
      await gateway.says('This gateway cannot open sessions: the journal cannot be written');
      const [status, body] = await readiness(gateway);
      expect([status, body]).toEqual([
        503,
        { message: expect.stringMatching(/^the journal cannot be written: its folder [a-z ]+$/) },
      ]);
      expect(JSON.stringify(body)).not.toContain(folder.path);
      await rm(JOURNAL_DIR);
      await until(async () => (await readiness(gateway as GatewayProcess))[0] === 200);
      await expectToLeave(gateway);
    },
    STARTS_WITHIN_MS,
  );

  describe('of what others run', () => {
    let wire: TcpProxy;

    beforeAll(async () => {
      const { hostname, port } = new URL(database.url);
      wire = await startTcpProxy(hostname, Number(port));
    });

    afterAll(() => wire.close());

    // promises: READY-1
    it(
      'an identity provider that is gone is a warning, a database that is silent is a no',
      async () => {
        const url = new URL(database.url);
        url.port = String(wire.port);
        const provider = await startTcpProxy('127.0.0.1', Number(new URL(production.provider.issuer).port));
        gateway = await GatewayProcess.start({
          ...production.variables,
          DATABASE_URL: url.href,
          IDP_ISSUER: `http://127.0.0.1:${provider.port}`,
          JOURNAL_DIR: join(folder.path, 'another'),
        });
        const own = gateway;
        await until(async () => (await readiness(own))[0] === 200);
        await provider.close();
        const warned = {
          status: 'ok',
          warnings: [expect.stringMatching(/^the identity provider cannot be reached/)],
        };
        await until(async () => JSON.stringify(await readiness(own)).includes('identity provider'));
        expect(await readiness(own)).toEqual([200, warned]);
        await own.says('the identity provider cannot be reached');

        wire.goSilent();
        wire.cut();
        await until(async () => (await readiness(own))[0] === 503);
        const startedAt = performance.now();
        expect(await readiness(own)).toEqual([503, { message: 'the database cannot be reached' }]);
        // The readiness check waits at most 2 s for a database connection and 2 s for the database's answer.
        // Other statements wait up to 5 s and 20 s.
        expect(performance.now() - startedAt).toBeLessThan(20_000);
        expect((await own.get('/healthz')).status).toBe(200);
      },
      STARTS_WITHIN_MS,
    );
  });

  // promises: START-1, READY-1
  it(
    'a schema that is newer than the program: it does not start, unless told to; its workers leave as one process does',
    async () => {
      const variables = { ...production.variables, JOURNAL_DIR: join(folder.path, 'newer') };
      await database.query(
        `INSERT INTO schema_migrations (timestamp, name) VALUES (9999999999999, 'OfTheNextVersion9999999999999')`,
      );
      gateway = await GatewayProcess.spawn(variables);
      expect(await gateway.exited).toEqual({ code: 1, signal: null });
      expect(gateway.stderr).toBe(
        'The database was migrated by a newer version of the gateway than this one (OfTheNextVersion9999999999999). Start that version, or set ALLOW_NEWER_SCHEMA=true to start this one anyway.\n',
      );
      gateway = await GatewayProcess.start({
        ...variables,
        ALLOW_NEWER_SCHEMA: 'true',
        WORKERS: '2',
        SHUTDOWN_DELAY_SECONDS: '6',
      });
      await gateway.says('2 workers serve');
      await until(async () => (await readiness(gateway as GatewayProcess))[0] === 200);
      await expectToLeave(gateway);
    },
    STARTS_WITHIN_MS,
  );
});
