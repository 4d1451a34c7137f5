import { Client } from 'pg';
import { UpstreamClients } from '../../src/mcp/upstream-credentials/sign-in/upstream-clients';
import { HttpSettings } from '../../src/platform/config/groups';
import { Browser } from '../support/browser-sign-in';
import { eventually } from '../support/eventually';
import { startAccountServer } from '../support/mcp/account-server';
import {
  addressFor,
  connectAccount,
  openAddress,
  pressButton,
  startGuardedServer,
} from '../support/mcp/connecting';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { scoped } from '../support/scoped';

const BLOCKED = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

// promises: UPSTREAM-10
describe(
  'the client that the gateway registers',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    afterEach(() => jest.restoreAllMocks());

    /** The test server accepts only the authentication method that the client has registered. */
    it.each([
      ['client_secret_basic', ['client_secret_basic', 'client_secret_post', 'none']],
      ['client_secret_basic', undefined],
      ['client_secret_basic', ['private_key_jwt']],
      ['client_secret_post', ['none', 'client_secret_post']],
      ['none', ['private_key_jwt', 'none']],
    ])('authenticates by %s where the server says %j', async (method, supported) => {
      const accounts = await startAccountServer();
      const server = await startGuardedServer('modern', accounts);
      try {
        accounts.metadata = (right) => ({ ...right, token_endpoint_auth_methods_supported: supported });
        const name = await path.connection(server.url, { secret: { MCP_AUTH: 'oauth' } });
        await connectAccount(await addressFor(path.gateway, name, 'alice'), 'alice', accounts);
        const client = new RawClient(path, name);
        const call = async () => (await client.call('echo', { text: 'x' })).message.result?.content;
        expect(await call()).toEqual([{ type: 'text', text: 'x' }]);
        const now = Date.now.bind(Date);
        jest.spyOn(Date, 'now').mockImplementation(() => now() + accounts.lifeSeconds * 1000);
        expect(await call()).toEqual([{ type: 'text', text: 'x' }]);
        expect(accounts.grants.map(({ grant_type: type }) => type)).toEqual([
          'authorization_code',
          'refresh_token',
        ]);
        // Requests contain the secret and the client id in the form only if the method requires them there.
        for (const grant of accounts.grants)
          expect([grant['client_secret'] !== undefined, grant['client_id'] !== undefined]).toEqual([
            method === 'client_secret_post',
            method !== 'client_secret_basic',
          ]);
      } finally {
        await server.close();
        await accounts.close();
      }
    });

    it('stays when another gateway has registered one at the same moment', async () => {
      const accounts = await startAccountServer();
      const server = await startGuardedServer('modern', accounts);
      const { database } = path.gateway;
      const other = new Client({ connectionString: database.url });
      await other.connect();
      try {
        const name = await path.connection(server.url, { secret: { MCP_AUTH: 'oauth' } });
        const begin = async (): Promise<URL> => {
          const browser = new Browser();
          const page = await openAddress(browser, await addressFor(path.gateway, name, 'alice'), 'alice');
          return new URL((await pressButton(browser, page)).headers.get('location') ?? '');
        };
        const first = await begin();
        const stored = 'SELECT id, secret FROM upstream_clients WHERE issuer = $1';
        const [row] = await database.query<{ id: string; secret: Buffer }>(stored, [accounts.issuer]);
        // Simulates that another gateway stores this client, and has not committed when this gateway looks.
        await other.query(`CREATE TEMPORARY TABLE kept AS SELECT * FROM upstream_clients`);
        await other.query('DELETE FROM upstream_clients WHERE issuer = $1', [accounts.issuer]);
        await other.query('BEGIN');
        await other.query('INSERT INTO upstream_clients SELECT * FROM kept WHERE issuer = $1', [
          accounts.issuer,
        ]);
        const second = begin();
        await eventually('the second gateway waits', async () => (await database.query(BLOCKED)).length > 0);
        await other.query('COMMIT');
        expect((await second).searchParams.get('client_id')).toBe(first.searchParams.get('client_id'));
        expect(await database.query(stored, [accounts.issuer])).toEqual([row]);
      } finally {
        await other.end();
        await server.close();
        await accounts.close();
      }
    });

    describe('is forgotten when its authorization server does not know it any more', () => {
      const accounts = begin(() => startAccountServer());
      const stored = () =>
        path.gateway.database.query<{ id: string }>('SELECT id FROM upstream_clients WHERE issuer = $1', [
          accounts.issuer,
        ]);

      /** Registers the client. Returns a function that removes the stored registration. */
      const registered = async () => {
        const [row] = await path.gateway.database.query<{ org: string }>(
          'SELECT id AS org FROM organizations LIMIT 1',
        );
        const clients = path.gateway.app.get(UpstreamClients);
        const metadata = { issuer: accounts.issuer, registration_endpoint: `${accounts.issuer}/reg` };
        const { id } = await clients.of(row?.org ?? '', { client: undefined }, metadata);
        return () => clients.forget(row?.org ?? '', accounts.issuer, id);
      };

      it('also after a change of API_URL', async () => {
        const former = jest.replaceProperty(
          path.gateway.app.get(HttpSettings),
          'apiUrl',
          'http://former.example',
        );
        const forget = await registered();
        former.restore();
        await forget();
        expect(await stored()).toEqual([]);
      });

      it('and not the one with which another gateway has replaced it', async () => {
        const forget = await registered();
        const other = new Client({ connectionString: path.gateway.database.url });
        await other.connect();
        try {
          await other.query('BEGIN');
          const { rows } = await other.query<{ id: string }>(
            'UPDATE upstream_clients SET id = gen_random_uuid() WHERE issuer = $1 RETURNING id',
            [accounts.issuer],
          );
          const forgotten = forget();
          const isBlocked = async () => (await path.gateway.database.query(BLOCKED)).length > 0;
          await eventually('the deletion waits', isBlocked);
          await other.query('COMMIT');
          await forgotten;
          expect(await stored()).toEqual(rows);
        } finally {
          await other.end();
        }
      });
    });
  }),
);
