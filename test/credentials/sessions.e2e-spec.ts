import { once } from 'node:events';
import type { Session } from '../../src/gate/session';
import type { IssuedCredential } from '../../src/gate/ports/issued-credentials';
import { ChangeFeed } from '../../src/platform/database/feed/change-feed';
import { describeDataPath } from '../support/describe';
import { aged, enter, find, issue, revoke } from '../support/credentials';
import { SLOWEST, eventually } from '../support/eventually';
import { keepFeedDown } from '../support/feed';
import { volume } from '../support/volume';
import { type Person, startGateway } from '../support/gateway';

const ENDED = { code: 'unauthenticated', message: 'the credential was revoked or has expired' };
/** Time within which a revocation takes effect on every gateway. */
const WITHIN_MS = 5_000 * SLOWEST;

/**
 * Sessions that were opened with an issued credential. When the credential ends, they end on every gateway.
 */
describeDataPath('a session with an issued credential', ({ path, gateway, begin }) => {
  const other = begin(() => startGateway({ beside: gateway }));

  const credentialOf = async (person: Person = 'alice', connection = 'orders'): Promise<IssuedCredential> => {
    const { body } = await issue(gateway, person, {}, connection);
    const found = await find(gateway, body.id as string);
    if (found === undefined) throw new Error('the credential was not found');
    return found;
  };

  /** Resolves with the reason for which the session must end. The test then ends it, as a proxy does. */
  const over = async (session: Session): Promise<string> => {
    const signal = AbortSignal.any([session.ended, AbortSignal.timeout(WITHIN_MS)]);
    if (!signal.aborted) await once(signal, 'abort');
    expect(session.ended.aborted).toBe(true);
    const { message } = session.ended.reason as Error;
    await session.end(254);
    return message;
  };

  // promises: SESSION-5, STATE-2
  it('says which, and is when it was last used', async () => {
    const credential = await credentialOf();
    const session = await enter(gateway, credential);
    expect((await path.read(session.id)).body).toMatchObject({
      verb: 'connect',
      status: 'open',
      user_id: 'alice',
      credential_id: credential.id,
    });
    const { body } = await path.run('SELECT 1', {}, 'alice');
    expect((await path.read(body.session_id)).body.credential_id).toBeNull();
    const list = async () => (await gateway.call('alice', 'GET', '/connection-credentials')).body.data[0];
    expect(await list()).toMatchObject({
      id: credential.id,
      last_used_at: (await path.read(session.id)).body.start_date,
    });
    const later = await enter(other, credential);
    expect((await list()).last_used_at).toBe((await path.read(later.id)).body.start_date);
    await Promise.all([session.end(0), later.end(0)]);
  });

  // promises: CREDENTIAL-6
  it('ends on every gateway when the credential is revoked; others go on', async () => {
    const [credential, another] = [await credentialOf(), await credentialOf()];
    const [here, there, unconcerned] = [
      await enter(gateway, credential),
      await enter(other, credential),
      await enter(other, another),
    ];
    expect((await revoke(gateway, 'alice', credential.id)).status).toBe(204);
    const reason = 'The access was revoked by alice@example.com.';
    expect(await Promise.all([over(here), over(there)])).toEqual([reason, reason]);
    expect(unconcerned.ended.aborted).toBe(false);
    for (const { id } of [here, there]) {
      expect((await path.read(id)).body).toMatchObject({ status: 'done', exit_code: 254 });
    }
    await unconcerned.end(0);
  });

  it('ends also on a gateway without change feed', async () => {
    const credential = await credentialOf('bob');
    const session = await enter(other, credential);
    const release = await keepFeedDown(other);
    try {
      await revoke(gateway, 'admin', credential.id);
      expect(await over(session)).toBe('The access was revoked by admin@example.com.');
    } finally {
      await release();
    }
  });

  it('does not begin with a credential that has ended since its owner signed in', async () => {
    const credential = await credentialOf();
    const sessions = await path.countSessions();
    await revoke(gateway, 'alice', credential.id);
    await expect(enter(gateway, credential)).rejects.toMatchObject(ENDED);
    const expired = { ...credential, id: await aged(gateway, (await credentialOf()).id, '2 hours') };
    await expect(enter(gateway, expired, null)).rejects.toMatchObject(ENDED);
    await path.connect('elsewhere');
    const foreign = { ...(await credentialOf()), connectionId: 'elsewhere' };
    await expect(enter(gateway, foreign)).rejects.toMatchObject(ENDED);
    expect(await path.countSessions()).toBe(sessions);
  });

  it('is refused or ended when its credential is revoked at the same time', async () => {
    for (let round = 0; round < volume(16, 40); round++) {
      const credential = await credentialOf();
      const entering = [gateway, other, gateway, other].map((where) => enter(where, credential));
      // The delay varies, so that the revocation comes before, between or after the starts of the sessions.
      await new Promise((wait) => setTimeout(wait, (round % 8) * 2));
      const revoked = revoke(round % 2 === 0 ? gateway : other, 'alice', credential.id);
      const outcomes = await Promise.allSettled(entering);
      expect((await revoked).status).toBe(204);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') {
          expect(outcome.reason).toMatchObject(ENDED);
        } else {
          expect(await over(outcome.value)).toBe('The access was revoked by alice@example.com.');
        }
      }
    }
    const open = await gateway.database.query(
      `SELECT s.id FROM sessions s JOIN connection_credentials c ON c.id = s.credential_id
       WHERE c.revoked_at IS NOT NULL AND s.status <> 'done'`,
    );
    expect(open).toEqual([]);
  });

  // promises: CREDENTIAL-7
  it('ends when its credential expires, and not before', async () => {
    const credential = await credentialOf();
    const until = new Date(Date.now() + 600);
    const [timed, past, endless] = [
      await enter(gateway, credential, until),
      await enter(gateway, credential, new Date(Date.now() - 1)),
      await enter(gateway, credential, null),
    ];
    expect(await over(past)).toBe('The access ended.');
    expect(await over(timed)).toBe('The access ended.');
    // The session ends by the database's clock, because the gateway knows the offset between the two clocks.
    const clock = gateway.app.get(ChangeFeed, { strict: false });
    expect(clock.databaseNow()).toBeGreaterThanOrEqual(until.getTime());
    expect(endless.ended.aborted).toBe(false);
    const soon = new Date(Date.now() + 1_500);
    const ended = await enter(gateway, credential, soon);
    await ended.end(0);
    await new Promise((wait) => setTimeout(wait, soon.getTime() - Date.now() + 100));
    expect(ended.ended.aborted).toBe(false);
    await endless.end(0);
  });

  // promises: CREDENTIAL-7
  it('ends with the key of the machine that has it', async () => {
    const { body: key } = await gateway.call('admin', 'POST', '/api-keys', { name: 'reports' });
    const { body } = await issue(gateway, { key: key.key });
    const credential = await find(other, body.id);
    if (credential === undefined) throw new Error('the credential was not found');
    const session = await enter(other, credential);
    await gateway.call('admin', 'DELETE', `/api-keys/${key.id}`);
    expect(await over(session)).toBe('The session was ended: this API key is revoked.');
    await eventually('it is of no use', async () => (await find(gateway, body.id)) === undefined);
  });

  // promises: CREDENTIAL-7
  it('ends with its connection, like other clients of it; other sessions continue', async () => {
    await path.connect('doomed');
    const credential = await credentialOf('alice', 'doomed');
    const sessions = [
      await enter(gateway, credential),
      await enter(other, credential),
      await enter(other, { ...credential, id: null as never }, null),
    ];
    const elsewhere = await enter(gateway, await credentialOf());
    expect((await gateway.call('admin', 'DELETE', '/connections/doomed')).status).toBe(204);
    const reasons = await Promise.all(sessions.map(over));
    expect(reasons).toEqual(sessions.map(() => 'The connection was deleted.'));
    expect(elsewhere.ended.aborted).toBe(false);
    await elsewhere.end(0);
    expect(await find(gateway, credential.id)).toBeUndefined();
    const { body } = await gateway.call('alice', 'GET', '/connection-credentials');
    expect(body.data.map((item: { id: string }) => item.id)).not.toContain(credential.id);
    expect((await path.read(sessions[0]?.id ?? '')).body.credential_id).toBe(credential.id);
    // The new connection has the same name, but it is a different connection.
    await path.connect('doomed');
    expect(await find(gateway, credential.id)).toBeUndefined();
    expect((await revoke(gateway, 'alice', credential.id, 'doomed')).status).toBe(404);
  });

  it.each([
    ['a statement at the database', `DELETE FROM connections WHERE name = 'doomed-2'`],
    [
      'a backup that is read back without it',
      `CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM connections WHERE name <> 'doomed-2';
       TRUNCATE connections CASCADE;
       INSERT INTO connections SELECT * FROM kept`,
    ],
  ])('ends with its connection, also when %s removes that', async (_, statement) => {
    await path.connect('doomed-2');
    const credential = await credentialOf('alice', 'doomed-2');
    const sessions = [
      await enter(gateway, credential),
      await enter(other, { ...credential, id: null as never }, null),
    ];
    const elsewhere = await enter(gateway, await credentialOf());
    await gateway.database.query(statement);
    const reasons = await Promise.all(sessions.map(over));
    expect(reasons).toEqual(sessions.map(() => 'The connection was deleted.'));
    expect(elsewhere.ended.aborted).toBe(false);
    await elsewhere.end(0);
  });

  it('is not issued while its connection is being deleted', async () => {
    for (let round = 0; round < volume(5, 10); round++) {
      await path.connect('short-lived');
      const credential = await credentialOf('alice', 'short-lived');
      const entering = [gateway, other].map((where) => enter(where, credential));
      const issuing = issue(other, 'bob', {}, 'short-lived');
      await new Promise((wait) => setTimeout(wait, round * volume(2, 1)));
      const { status } = await gateway.call('admin', 'DELETE', '/connections/short-lived');
      expect(status).toBe(204);
      expect([201, 404]).toContain((await issuing).status);
      for (const outcome of await Promise.allSettled(entering)) {
        if (outcome.status === 'fulfilled') {
          expect(await over(outcome.value)).toBe('The connection was deleted.');
        } else {
          expect(['unauthenticated', 'not_found']).toContain((outcome.reason as { code?: string }).code);
        }
      }
    }
    expect(
      await gateway.database.query(
        `SELECT id FROM sessions WHERE connection_name = 'short-lived' AND status <> 'done'`,
      ),
    ).toEqual([]);
  });
});
