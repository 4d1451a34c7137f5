import { describeDataPath } from '../support/describe';
import { aged, issue } from '../support/credentials';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import type { Person } from '../support/gateway';
import { secretOf } from '../support/target';
import { Visitor } from '../support/visitor';

/** Canary in the secret of the connection. The test searches for it where the secret could leak. */
const CANARY = 'canary0host0user0word';

/** A refused client gets an error of the protocol, and its session is recorded if there was one. */
describeDataPath('a PostgreSQL client that is not let in', ({ path }) => {
  beforeAll(async () => {
    await path.connect('scripts-only', { access_mode_connect: 'disabled' });
    await path.connect('reviewed');
    const rule = { name: 'ask-first', access_type: 'jit', reviewers_groups: ['dba'], min_approvals: 1 };
    const made = await path.gateway.call('admin', 'POST', '/access-requests/rules', {
      ...rule,
      access_max_duration: 3_600,
      connection_names: ['reviewed'],
    });
    expect(made.status).toBe(201);
    const tool = {
      name: 'tool',
      type: 'application',
      subtype: 'mcpproxy',
      secret: { REMOTE_URL: 'https://mcp.example.com/' },
    };
    expect((await path.gateway.call('admin', 'POST', '/connections', tool)).status).toBe(201);
    await path.connect('private', { access_groups: ['dba'] });
  });

  const useGroups = (access_control: boolean) =>
    path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control } });

  const come = async (connection: string, person: Person = 'alice'): Promise<string> =>
    Visitor.refused(path, { user: 'me', password: await path.gateway.token(person), connection });

  /** Waits for the ended session of the connection. It ends shortly after its client got the error. */
  const ended = (connection: string) =>
    eventually('the session is closed', async () => {
      const [session] = await path.gateway.database.query<{ id: string; exit_code: number }>(
        `SELECT id, exit_code FROM sessions WHERE connection_name = $1 AND status = 'done'`,
        [connection],
      );
      return session;
    });

  it.each([
    ['scripts-only', 'alice', '42501', 'the connection scripts-only does not accept clients'],
    [
      'reviewed',
      'alice',
      '42501',
      'clients of the connection reviewed need an approval by the rule ask-first',
    ],
    ['tool', 'alice', '0A000', 'The connection tool is not a PostgreSQL database.'],
  ] as const)('%s: is told why, and the visit is recorded', async (connection, person, code, message) => {
    expect(await come(connection, person)).toBe(`FATAL ${code}: ${message}`);
    const session = await ended(connection);
    expect(session.exit_code).toEqual(expect.any(Number));
    expect(session.exit_code).not.toBe(0);
    expect(await path.recording(session.id)).toEqual([['e', `${message}\n`]]);
  });

  it('learns nothing: unknown connection, auditor, expired credential', async () => {
    expect(await come('nowhere')).toBe('FATAL 3D000: there is no connection named nowhere');
    await useGroups(true);
    expect(await come('private')).toBe('FATAL 3D000: there is no connection named private');
    await useGroups(false);
    const left = `SELECT FROM sessions WHERE connection_name = 'private'`;
    expect(await path.gateway.database.query(left)).toEqual([]);
    expect(await come('orders', 'auditor')).toBe('FATAL 42501: auditors may read, but open no connections');
    const { body } = await issue(path.gateway);
    const user = await aged(path.gateway, body.id, '2 days');
    const { password } = body.connection_credentials;
    expect(await Visitor.refused(path, { user, password })).toMatch(/^FATAL 28P01: /);
    expect(await come('orders')).toBe('it was let in');
  });

  describe('because of its target', () => {
    it.each([
      ['a wrong password', { PASS: CANARY }, '08004', /refused the user or the password/],
      ['a wrong user', { USER: CANARY }, '08004', /refused the user or the password/],
      ['a database that is not there', { DB: CANARY }, '08004', /database of this connection does not exist/],
      ['nobody at its address', { HOST: '127.0.0.1', PORT: 'free' }, '08001', /could not be reached/],
      ['a host that is not there', { HOST: `${CANARY}.invalid` }, '08001', /could not be reached/],
    ])('%s: is told in words without its secret', async (what, change, code, message) => {
      const name = `wrong-${what.replaceAll(' ', '-')}`;
      const PORT = (change as { PORT?: string }).PORT === 'free' ? String(await freePort()) : undefined;
      const secret = { ...secretOf(path.target), ...change, ...(PORT === undefined ? {} : { PORT }) };
      await path.connect(name, { secret });
      const told = await Visitor.refused(path, { connection: name });
      expect(told).toMatch(message);
      expect(told).toMatch(new RegExp(`^FATAL ${code}: `));
      const session = await ended(name);
      expect(session.exit_code).toBe(2);
      const recorded = JSON.stringify(await path.recording(session.id));
      for (const word of [CANARY, PORT ?? CANARY, secretOf(path.target)['DB'] ?? CANARY]) {
        expect(told).not.toContain(word);
        expect(recorded).not.toContain(word);
      }
    });

    it('unsupported options are refused in the words of the server', async () => {
      expect(await Visitor.refused(path, { options: '-c no_such_setting=1' })).toBe(
        'FATAL 42704: unrecognized configuration parameter "no_such_setting"',
      );
    });
  });
});
