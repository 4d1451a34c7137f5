import { X509Certificate, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { Client } from 'pg';
import { SmallS3 } from '../support/archive/small-s3';
import { freshDatabase } from '../support/database';
import { describeProcesses } from '../support/describe';
import { eventually } from '../support/eventually';
import { GatewayProcess } from '../support/gateway-process';
import { OperationsPage } from '../support/operations/page';
import { RollingGateways } from '../support/operations/rolling-gateways';
import { RawClient, SSL_REQUEST } from '../support/raw-client';
import { columnsSealedBy } from '../support/sealed-columns';
import { secretOf } from '../support/target';
import { makeCertificate, whyWithout } from '../support/tls';
import { WebhookReceiver, isSigned } from '../support/webhook-receiver';

jest.setTimeout(600_000);

const page = new OperationsPage('key-rotation.md');
/** Minimum number of answers that each kind of load must get after each change. */
const ENOUGH = 3;
const why = (['openssl', 'psql'] as const).map(whyWithout).find((reason) => reason !== undefined);

/** Fields that tests read from the output of a command on a documentation page. */
interface Printed {
  readonly id: string;
  readonly key: string;
  readonly token: string;
  readonly secret: string;
  readonly status: string;
}

if (why !== undefined) it.skip(`changes of keys (skipped: ${why})`, () => undefined);
else
  describeProcesses('docs/operations/key-rotation.md', ({ folder, target, production, begin }) => {
    const database = begin(
      () => freshDatabase('empty'),
      async (it) => {
        await it.drop();
        await target.query('DROP ROLE IF EXISTS gateway_b, access_gateway');
      },
    );
    const receiver = begin(() => WebhookReceiver.start());
    const bucket = begin(() => SmallS3.start());
    const gateways = begin(() =>
      RollingGateways.prepare({ folder, target, production, databaseUrl: database.url }),
    );
    const [password, newPassword] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    const [certificate, newCertificate] = [makeCertificate(), makeCertificate()];
    const urlOf = (user: string, secret: string): string =>
      Object.assign(new URL(database.url), { username: user, password: secret }).href;
    const oldKey = (): string => production.variables['SECRET_KEY'] ?? '';
    const fileOf = (name: string): string => join(folder.path, name);

    let variables: Record<string, string>;
    let running: readonly GatewayProcess[];
    const load = begin(
      async () => {
        // The role owns its database and is no superuser, as the documentation advises.
        await database.query(`CREATE ROLE access_gateway LOGIN PASSWORD '${password}'`);
        await database.query(
          `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO access_gateway`,
        );
        await Promise.all([
          writeFile(fileOf('headers'), `authorization: Bearer ${gateways.token}\n`, { mode: 0o600 }),
          writeFile(fileOf('tls.crt'), certificate.cert),
          writeFile(fileOf('tls.key'), certificate.key, { mode: 0o600 }),
          writeFile(fileOf('next.crt'), newCertificate.cert),
          writeFile(fileOf('next.key'), newCertificate.key, { mode: 0o600 }),
        ]);
        variables = {
          ...bucket.variables,
          DATABASE_URL: urlOf('access_gateway', password),
          TLS_CERT_FILE: fileOf('tls.crt'),
          TLS_KEY_FILE: fileOf('tls.key'),
          TLS_PORTS: 'postgres',
          TLS_RELOAD_SECONDS: '1',
          WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
        };
        running = [await gateways.start(variables), await gateways.start(variables)];
        return gateways.load();
      },
      (it) => it.stop(),
    );

    const run = (name: string, more: Record<string, string> = {}): Promise<string> =>
      page.run(name, {
        GATEWAY: gateways.origin,
        HEADERS: fileOf('headers'),
        ADMIN_URL: database.url,
        OWNER: 'access_gateway',
        ...more,
      });
    const printed = async (name: string, more?: Record<string, string>): Promise<Printed> =>
      JSON.parse(await run(name, more)) as Printed;
    const create = async (path: string, body: object): Promise<Printed> => {
      const answer = await gateways.call('POST', path, body);
      expect([answer.status, path]).toEqual([201, path]);
      return (await answer.json()) as Printed;
    };
    const statusFor = async (path: string, token: string): Promise<number> =>
      (await fetch(`${gateways.origin}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
    const session = async (script: string): Promise<{ id: string; output: string }> => {
      const answer = await gateways.call('POST', '/sessions', { connection: 'orders', script });
      const { session_id: id, output } = (await answer.json()) as { session_id: string; output: string };
      return { id, output };
    };
    const movedToBucket = (id: string): Promise<boolean> =>
      eventually('the recording is in the bucket', async () => {
        const [row] = await database.query<{ state: string }>(
          'SELECT state FROM session_archives WHERE session_id = $1',
          [id],
        );
        return row?.state === 'archived';
      });
    /** Creates a connection at one gateway, and expects that all running gateways can read its secret. */
    const connectNow = async (): Promise<void> => {
      const name = `of-${randomBytes(4).toString('hex')}`;
      const kind = { type: 'database', subtype: 'postgres', access_groups: ['*'] };
      await create('/connections', { name, ...kind, secret: secretOf(target) });
      const asked = { connection: name, script: 'SELECT 1' };
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => gateways.call('POST', '/sessions', asked)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    };
    /**
     * Restarts the gateways one after another with changed variables, under load. Creates a connection while
     * gateways with old and new variables run.
     */
    const restart = async (changed: Record<string, string>): Promise<void> => {
      variables = { ...variables, ...changed };
      running = await gateways.replace(running, variables, undefined, connectNow);
      await load.goesOn(ENOUGH);
      expect(load.failures).toEqual([]);
    };
    /** Returns the certificate that each gateway shows on a new connection. */
    const shownCertificates = (): Promise<string[]> =>
      Promise.all(
        running.map(async (gateway) => {
          const client = await RawClient.connect(gateways.postgresPortOf(gateway));
          expect((await client.send(SSL_REQUEST).bytes(1)).toString()).toBe('S');
          await client.secure();
          const { fingerprint256 } = (client.socket as TLSSocket).getPeerCertificate();
          client.socket.destroy();
          return fingerprint256;
        }),
      );

    // promises: KEYS-1, KEYS-2
    it('changes the secret key, the password of the database and the key of the bucket: no request fails, old recordings verify', async () => {
      await load.goesOn(ENOUGH);
      const { id } = await session('SELECT 1');
      await movedToBucket(id);
      const evidence = await gateways.call('GET', `/sessions/${id}?extension=evidence`);
      await writeFile(fileOf('old.evidence'), Buffer.from(await evidence.arrayBuffer()));
      const newKey = (await run('new-key')).trim();
      await run('second-role', { NEW_PASSWORD: newPassword });
      bucket.keys.add('second-key');

      await restart({
        SECRET_KEY: `${oldKey()},${newKey}`,
        DATABASE_URL: urlOf('gateway_b', newPassword),
        ARCHIVE_ACCESS_KEY_ID: 'second-key',
      });
      await run('close-first-role');
      const refused = new Client({ connectionString: urlOf('access_gateway', password) });
      await expect(refused.connect()).rejects.toThrow('is not permitted to log in');
      const owners = await database.query<{ owner: string }>(
        `SELECT DISTINCT tableowner AS owner FROM pg_tables WHERE schemaname = 'public'`,
      );
      expect(owners).toEqual([{ owner: 'access_gateway' }]);
      bucket.keys.delete('test-key');
      await movedToBucket((await session('SELECT 2')).id);

      await restart({ SECRET_KEY: `${newKey},${oldKey()}` });
      const said = await run('rotate-keys', {
        DATABASE_URL: variables['DATABASE_URL'] ?? '',
        SECRET_KEY: variables['SECRET_KEY'] ?? '',
      });
      expect(said).toContain('can be removed');
      await restart({ SECRET_KEY: newKey });

      expect(await columnsSealedBy(database, oldKey())).toEqual([]);
      const late = await GatewayProcess.spawn({ ...production.variables, DATABASE_URL: database.url });
      expect([(await late.exited).code, late.stderr]).toEqual([
        1,
        expect.stringContaining('opens none of the secrets that are stored'),
      ]);
      const verified = await run('verify', { EVIDENCE: fileOf('old.evidence') });
      expect(verified).toContain('"status":"valid"');
      expect(verified).toContain('The signature of the file is valid');
    });

    // promises: KEYS-1
    it('changes the certificate without a restart', async () => {
      const fingerprints = ({ cert }: { cert: string }): string[] =>
        running.map(() => new X509Certificate(cert).fingerprint256);
      expect(await shownCertificates()).toEqual(fingerprints(certificate));
      await run('replace-certificate', {
        ...variables,
        NEW_CERT: fileOf('next.crt'),
        NEW_KEY: fileOf('next.key'),
      });
      await eventually('both gateways show the new certificate', async () => {
        const shown = await shownCertificates();
        return JSON.stringify(shown) === JSON.stringify(fingerprints(newCertificate));
      });
      await load.goesOn(ENOUGH);
      expect(load.failures).toEqual([]);
    });

    // promises: KEYS-1
    it('changes tokens of machines, secrets of webhooks and of connections, and keys of the identity provider', async () => {
      const key = await create('/api-keys', { name: 'nightly-report', groups: ['reporting'] });
      const newKey = await printed('new-api-key');
      await run('revoke-api-key', { OLD_ID: key.id });
      expect(await statusFor('/api/sessions', key.key)).toBe(401);
      expect(await statusFor('/api/sessions', newKey.key)).toBe(200);

      const token = await create('/scim-tokens', { name: 'entra' });
      const newToken = await printed('new-scim-token');
      await run('revoke-scim-token', { OLD_ID: token.id });
      expect(await statusFor('/api/scim/v2/Users', token.token)).toBe(401);
      expect(await statusFor('/api/scim/v2/Users', newToken.token)).toBe(200);

      const webhook = await create('/webhooks', { url: receiver.url, events: ['session.ended'] });
      const { secret } = await printed('rotate-webhook-secret', { WEBHOOK_ID: webhook.id });
      expect(secret).not.toBe(webhook.secret);
      for (const valid of [webhook.secret, secret])
        await eventually('a message that is signed with both', async () => {
          const last = receiver.received.at(-1);
          const isByBoth = String(last?.headers['webhook-signature']).split(' ').length === 2;
          return last !== undefined && isByBoth && (await isSigned(last, valid));
        });

      await target.query(`CREATE ROLE orders_b LOGIN PASSWORD '${newPassword}'`);
      await target.query('GRANT SELECT ON customers TO orders_b');
      const tested = await run('new-connection-secret', { NEW_USER: 'orders_b', NEW_PASSWORD: newPassword });
      expect(tested).not.toContain(newPassword);
      expect((await session('SELECT current_user AS name')).output).toContain('orders_b');

      await production.provider.rotateKeys();
      expect(await statusFor('/api/userinfo', await production.token())).toBe(200);
      await load.goesOn(ENOUGH);
      expect(load.failures).toEqual([]);
    });

    it('leaves every recording of before and after valid, and runs everything that the page tells to run', async () => {
      await load.stop();
      expect(load.failures).toEqual([]);
      console.info('answered, and none failed:', load.counts);
      const { unfinished: _, ...over } = await gateways.verified();
      expect(Object.keys(over)).toEqual(['valid']);
      expect(page.notRun).toEqual([]);
    });
  });
