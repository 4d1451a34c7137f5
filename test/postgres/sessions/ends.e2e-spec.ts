import { describeDataPath } from '../../support/describe';
import { aged, issue, revoke } from '../../support/credentials';
import { startGateway } from '../../support/gateway';
import { Visitor, type Way, killSession, signInOf } from '../../support/visitor';

/**
 * Sessions that end by a kill, by their credential, or with the access of their user. The client gets an
 * error, the target is disconnected, and the recording contains the reason.
 */
describeDataPath('a session of a PostgreSQL client that somebody ends', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));

  /** Opens three sessions: an idle session, one with a running query, and one in a transaction. */
  const threeVisitors = async (way: Way, mark: string): Promise<Visitor[]> => {
    const entering = [way, way, way].map((each) => Visitor.enter(path, each));
    const [idle, busy, undecided] = (await Promise.all(entering)) as [Visitor, Visitor, Visitor];
    await undecided.query(`BEGIN; INSERT INTO customers VALUES (-1, '${mark}')`);
    await busy.keepBusy();
    return [idle, busy, undecided];
  };

  /** All clients get the same error, and each recording ends with it. */
  const expectEnded = async (visitors: readonly Visitor[], cause: string, mark: string): Promise<void> => {
    for (const visitor of visitors) {
      expect(await visitor.lastWords()).toBe(`FATAL 57P01: ${cause}`);
      const lastEvent = ['e', `${cause}\n`];
      expect(await visitor.aftermath()).toEqual({ exit_code: 254, hasEnd: true, lastEvent });
    }
    expect(await path.target.query('SELECT FROM customers WHERE name = $1', [mark])).toEqual([]);
  };

  it('by a kill at another gateway', async () => {
    const visitors = await threeVisitors({}, 'killed');
    for (const visitor of visitors) expect((await killSession(other, visitor)).status).toBe(204);
    await expectEnded(visitors, 'The session was ended by admin@example.com.', 'killed');
  });

  it('by revoking the credential', async () => {
    const signIn = await signInOf(path);
    const visitors = await threeVisitors(signIn, 'revoked');
    expect((await revoke(other, 'alice', signIn.user)).status).toBe(204);
    await expectEnded(visitors, 'The access was revoked by alice@example.com.', 'revoked');
    expect(await Visitor.refused(path, signIn)).toMatch(/^FATAL 28P01: /);
  });

  it('by the time of the credential', async () => {
    const { body } = await issue(path.gateway, 'alice', { access_duration_seconds: 3_600 });
    const user = await aged(path.gateway, body.id, '3592 seconds');
    const visitors = await threeVisitors({ user, password: body.connection_credentials.password }, 'expired');
    await expectEnded(visitors, 'The access ended.', 'expired');
  });

  it('by setting the user inactive', async () => {
    const visitors = await threeVisitors({ caller: 'bob' }, 'inactive');
    await path.setStatus('bob', 'inactive');
    await expectEnded(visitors, 'The session was ended: this user is inactive.', 'inactive');
    await path.setStatus('bob', 'active');
  });

  it.each(['a credential', 'the key itself'])('by revoking the API key that came with %s', async (with_) => {
    const { body } = await path.gateway.call('admin', 'POST', '/api-keys', { name: `reports ${with_}` });
    const way = with_ === 'a credential' ? { caller: { key: body.key } } : { user: 'me', password: body.key };
    const visitors = await threeVisitors(way, with_);
    expect((await path.gateway.call('admin', 'DELETE', `/api-keys/${body.id}`)).status).toBe(204);
    await expectEnded(visitors, 'The session was ended: this API key is revoked.', with_);
  });
});
