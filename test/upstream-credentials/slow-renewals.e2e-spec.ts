import { DataSource } from 'typeorm';
import { Clock } from '../../src/kernel/async/clock';
import { UpstreamTokens } from '../../src/mcp/upstream-credentials/stored/upstream-tokens';
import { type TokenOwner, TokenRows } from '../../src/mcp/upstream-credentials/stored/token-rows';
import { eventually } from '../support/eventually';
import { startAccountServer } from '../support/mcp/account-server';
import { addressFor, connectAccount, startGuardedServer } from '../support/mcp/connecting';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { outageOnce } from '../support/outage-once';
import { scoped } from '../support/scoped';

// promises: UPSTREAM-14
describe(
  'a renewal whose answer comes late',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const accounts = begin(() => startAccountServer());
    const server = begin(() => startGuardedServer('modern', accounts));
    let lives = 0;
    let release = (): void => undefined;

    const idOf = async (name: string): Promise<string> =>
      (await path.gateway.call('admin', 'GET', `/connections/${name}`)).body.id;
    const textOf = ({ message }: Awaited<ReturnType<RawClient['call']>>) =>
      message.result?.content[0]?.text ?? message.error.message;

    /** Begins a call whose token is renewed. The authorization server delays its answer. */
    const renewing = async () => {
      const name = await path.connection(server.url, { secret: { MCP_AUTH: 'oauth' } });
      await connectAccount(await addressFor(path.gateway, name, 'alice'), 'alice', accounts);
      const id = await idOf(name);
      const client = new RawClient(path, name);
      await client.call('echo', { text: 'before' });
      expire();
      accounts.held = new Promise((resolve) => (release = resolve));
      const granted = accounts.grants.length;
      const call = client.call('echo', { text: 'renewed' });
      await eventually('the new token', () => accounts.grants.length > granted);
      return { name, id, client, call };
    };
    const expire = (): void => {
      lives++;
      jest
        .spyOn(Date, 'now')
        .mockImplementation(
          () => performance.timeOrigin + performance.now() + lives * accounts.lifeSeconds * 1000,
        );
    };
    const arrive = (): void => {
      accounts.held = undefined;
      release();
    };
    afterEach(arrive);
    afterAll(() => jest.restoreAllMocks());

    it('keeps its lease as long as it lasts', async () => {
      const { id, call } = await renewing();
      const leaseOf = async (): Promise<Date> => {
        const [row] = await path.gateway.database.query<{ lease_until: Date }>(
          'SELECT lease_until FROM upstream_tokens WHERE connection_id = $1',
          [id],
        );
        return row?.lease_until ?? new Date(0);
      };
      const first = await leaseOf();
      await eventually('a longer lease', async () => (await leaseOf()) > first);
      arrive();
      expect(textOf(await call)).toBe('renewed');
    });

    describe('after a long time', () => {
      /** Returns the tokens as another gateway has them, and the source that renews the latest token. */
      const another = async () => {
        const current = jest.spyOn(UpstreamTokens.prototype, 'current');
        const { call } = await renewing();
        const [source] = current.mock.calls.at(-1) ?? [];
        if (source === undefined) throw new Error('no token was needed');
        const rows = path.gateway.app.get(TokenRows);
        const tokens = new UpstreamTokens(rows, path.gateway.app.get(Clock));
        return { call, rows, source, tokens };
      };
      /** Moves the clock forward by a minute, which is longer than a lease lasts. */
      const pass = (): void => {
        minutes++;
        jest.spyOn(performance, 'now').mockImplementation(() => now() + minutes * 60_000);
      };
      const now = performance.now.bind(performance);
      let minutes = 0;

      it('is the one that another gateway gets, as long as the lease lasts', async () => {
        const { call, rows, source, tokens } = await another();
        const take = jest.spyOn(rows, 'take');
        const waiting = tokens.current({
          ...source,
          obtain: () => Promise.reject(new Error('two gateways renew one token')),
        });
        const ended = waiting.catch((error: unknown) => error);
        await eventually('the other gateway waits', () => take.mock.calls.length > 0);
        pass();
        arrive();
        expect(textOf(await call)).toBe('renewed');
        expect(await ended).toBe((await rows.find(source.owner, source.binding))?.accessToken);
      });

      it('gives way to a token that was stored meanwhile', async () => {
        const { call, rows, source, tokens } = await another();
        arrive();
        await call;
        expire();
        const token = (accessToken: string) => ({
          accessToken,
          obtainedAt: Date.now(),
          renewAt: Date.now() + 3_600_000,
        });
        const obtain = async () => {
          await path.gateway.app
            .get(DataSource)
            .transaction((db) => rows.put(db, source.owner, source.binding, token('of a new sign-in')));
          pass();
          return token('late');
        };
        expect(await tokens.current({ ...source, obtain })).toBe('of a new sign-in');
      });
    });

    it('is stored although its lease is lost', async () => {
      const { id, client, call } = await renewing();
      await path.gateway.database.query(
        'UPDATE upstream_tokens SET lease = gen_random_uuid() WHERE connection_id = $1',
        [id],
      );
      arrive();
      expect(textOf(await call)).toBe('renewed');
      expire();
      expect(textOf(await client.call('echo', { text: 'again' }))).toBe('again');
    });

    it('is stored after an outage of the database', async () => {
      const { client, call } = await renewing();
      const end = await outageOnce(path.gateway.database, 'upstream_tokens', 'secret');
      arrive();
      expect(textOf(await call)).toBe('renewed');
      await end();
      expire();
      expect(textOf(await client.call('echo', { text: 'again' }))).toBe('again');
    });

    // promises: UPSTREAM-15
    it('is revoked when the connection was deleted meanwhile, and nobody waits for another', async () => {
      const { name, id, call } = await renewing();
      const issued = accounts.secrets.slice(-2);
      const [owner] = await path.gateway.database.query<TokenOwner>(
        `SELECT org_id AS "orgId", connection_id AS "connectionId", subject_id AS "subjectId"
         FROM upstream_tokens WHERE connection_id = $1`,
        [id],
      );
      if (owner === undefined) throw new Error('the row of the token is missing');
      const waiting = path.gateway.app.get(UpstreamTokens).current({
        owner,
        binding: 'of no token',
        obtain: () => Promise.reject(new Error('a token is requested for a deleted connection')),
      });
      const refused = waiting.catch((error: unknown) => error);
      const deleted = await path.gateway.call('admin', 'DELETE', `/connections/${name}`);
      expect(deleted.status).toBe(204);
      expect(await refused).toMatchObject({ message: expect.stringContaining('was deleted') });
      arrive();
      await call;
      await eventually('the revocation', () => issued.every((token) => accounts.revoked.includes(token)));
    });

    // promises: UPSTREAM-15
    it('is revoked when the account was disconnected meanwhile', async () => {
      const { name, call } = await renewing();
      const issued = accounts.secrets.slice(-2);
      const ended = await path.gateway.call('alice', 'DELETE', `/connections/${name}/mcp-connect`);
      expect(ended.status).toBe(204);
      arrive();
      expect(textOf(await call)).toMatch(/connect your account/i);
      expect(accounts.revoked).toEqual(expect.arrayContaining(issued));
    });
  }),
);
