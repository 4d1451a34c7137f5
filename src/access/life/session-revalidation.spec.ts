import type { Principals } from '../../identity/auth/users/principals';
import type { ChangeFeed, ChangeListener } from '../../platform/database/feed/change-feed';
import type { AccessDecider, AccessDecision } from '../../gate/ports/access-decider';
import type { Target, TargetDirectory, Verb } from '../../gate/ports/target-directory';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { AccessDecisions } from './access-decisions';
import { AccessRevalidator } from './access-revalidator';
import { type LiveSession, LiveSessions } from '../../sessions/recording/live-sessions';
import type { RecordedTrail } from '../../sessions/recording/recorded-trail';
import { SessionRevalidation } from './session-revalidation';

const alice = {
  userId: 'alice',
  groups: ['dba', 'night'],
  role: 'regular',
} as Partial<Principal> as Principal;
const target = { id: 'orders', name: 'orders' } as Partial<Target> as Target;
const denied: AccessDecision = {
  kind: 'deny',
  code: 'not_in_access_groups',
  message: 'none of your groups may',
};

/** A revalidation of sessions with fake services, whose answers the test sets. */
function world() {
  const now: { principal: () => Promise<Principal>; target: Target | undefined; decision: AccessDecision } = {
    principal: async () => alice,
    target,
    decision: { kind: 'allow' },
  };
  const listeners: ChangeListener[] = [];
  const feed = { live: true, subscribe: (listener: ChangeListener) => listeners.push(listener) };
  const decided: Principal[] = [];
  const live = new LiveSessions();
  const revalidation = new SessionRevalidation(
    live,
    { current: () => now.principal() } as Partial<Principals> as Principals,
    new AccessRevalidator(
      new AccessDecisions(
        { known: async () => now.target } as Partial<TargetDirectory> as TargetDirectory,
        {
          decide: async (principal: Principal, { enabledVerbs }: Target, verb: Verb) => {
            decided.push(principal);
            const isDisabled = now.decision.kind === 'deny' && now.decision.code === 'verb_disabled';
            return isDisabled && enabledVerbs.includes(verb) ? { kind: 'allow' } : now.decision;
          },
        } as Partial<AccessDecider> as AccessDecider,
        { now: () => 0 },
      ),
    ),
    feed as unknown as ChangeFeed,
  );
  const cuts: string[] = [];
  let count = 0;
  const watched = (more: Partial<LiveSession> = {}): (() => void) => {
    const sessionId = `session ${(count += 1)}`;
    const trail = { sessionId, abort: (reason: string) => cuts.push(reason) } as unknown as RecordedTrail;
    live.add(trail, { principal: alice, target, verb: 'connect', ...more });
    return () => live.remove(sessionId);
  };
  /** Starts a session whose row is stored. */
  const begun = async (): Promise<() => void> => {
    const end = watched();
    live.announce(`session ${count}`);
    await new Promise(setImmediate);
    return end;
  };
  const changed = async (table: string, id = 'alice'): Promise<void> => {
    for (const listener of listeners) listener.changed(table, id);
    await new Promise(setImmediate);
  };
  const lose = (...groups: string[]): void => {
    now.principal = async () => ({
      ...alice,
      groups: alice.groups.filter((group) => !groups.includes(group)),
    });
  };
  return { now, feed, revalidation, watched, begun, changed, lose, cuts, decided };
}

describe('SessionRevalidation', () => {
  it.each([
    [denied, {}, 'The session was ended: none of your groups may.'],
    [denied, { verb: 'exec' }, 'The session was ended: none of your groups may.'],
    [denied, { isGranted: true }, 'The session was ended: none of your groups may.'],
    [{ ...denied, code: 'verb_disabled' }, {}, undefined],
    [{ kind: 'allow' }, {}, undefined],
    [
      { kind: 'review', rules: [] },
      {},
      'The session was ended: without a group that they lost, clients of the connection orders need an approval.',
    ],
    [{ kind: 'review', rules: [] }, { isGranted: true }, undefined],
    [{ kind: 'review', rules: [] }, { verb: 'exec' }, undefined],
  ] as [AccessDecision, Partial<LiveSession>, string | undefined][])(
    'after a lost group, decided %j of %j: %s',
    async (decision, more, reason) => {
      const { now, watched, changed, lose, cuts } = world();
      now.decision = decision;
      watched(more);
      lose('night');
      await changed('user_groups');
      expect(cuts).toEqual(reason === undefined ? [] : [reason]);
    },
  );

  it('decides nothing again while nobody lost anything, whatever else changed', async () => {
    const { now, watched, changed, cuts, decided } = world();
    now.decision = denied;
    now.principal = async () => ({ ...alice, groups: ['another', ...alice.groups], name: 'Alice Another' });
    watched();
    await changed('users');
    await changed('user_groups', 'bob');
    expect([cuts, decided]).toEqual([[], []]);
  });

  it.each([
    [denied, {}, 'The session was ended: none of your groups may.'],
    [denied, { verb: 'exec' }, 'The session was ended: none of your groups may.'],
    [{ ...denied, code: 'verb_disabled' }, {}, undefined],
    [{ kind: 'allow' }, {}, undefined],
    [{ kind: 'review', rules: [] }, {}, undefined],
  ] as [AccessDecision, Partial<LiveSession>, string | undefined][])(
    'after a change of the connection, decided %j of %j: %s',
    async (decision, more, reason) => {
      const { now, watched, changed, cuts, decided } = world();
      now.decision = decision;
      watched(more);
      await changed('connections', 'another');
      expect(decided).toEqual([]);
      await changed('connections', 'orders');
      expect(cuts).toEqual(reason === undefined ? [] : [reason]);
    },
  );

  it('cuts a session that began while its connection changed', async () => {
    const { now, begun, changed, cuts } = world();
    now.decision = denied;
    await changed('connections', 'another');
    (await begun())();
    expect(cuts).toEqual([]);
    await changed('connections', 'orders');
    await begun();
    expect(cuts).toEqual(['The session was ended: none of your groups may.']);
  });

  it('checks connections again that it could not check, and whose changes it may have missed', async () => {
    const { now, feed, revalidation, watched, changed, cuts } = world();
    watched();
    now.decision = denied;
    now.principal = async () => Promise.reject(new Error('the database is away'));
    await changed('connections', 'orders');
    expect(cuts).toEqual([]);
    now.principal = async () => alice;
    await revalidation.revalidateMissed();
    expect(cuts).toHaveLength(1);
    await revalidation.revalidateMissed();
    expect(cuts).toHaveLength(1);
    feed.live = false;
    await revalidation.revalidateMissed();
    expect(cuts).toHaveLength(2);
  });

  // An empty id stands for a change of the whole table.
  it.each(['users', 'user_groups', 'api_keys', 'connections'])(
    'checks all of them when the table %s was emptied, also those that begin then',
    async (table) => {
      const { now, watched, begun, changed, lose, cuts } = world();
      now.decision = denied;
      watched();
      if (table === 'connections') now.target = undefined;
      else lose('night');
      await changed(table, '');
      expect(cuts).toHaveLength(1);
      await begun();
      expect(cuts).toHaveLength(2);
    },
  );

  it('decides for the person as they are now', async () => {
    const { watched, changed, lose, decided } = world();
    watched();
    lose('dba');
    await changed('user_groups');
    expect(decided).toEqual([expect.objectContaining({ groups: ['night'] })]);
  });

  it('cuts who may no longer act, and who became an auditor', async () => {
    const { now, watched, changed, cuts } = world();
    watched();
    now.principal = async () => Promise.reject(new AppError('unauthenticated', 'this user is inactive'));
    await changed('users');
    now.principal = async () => ({ ...alice, role: 'auditor' });
    await changed('user_groups');
    expect(cuts).toEqual([
      'The session was ended: this user is inactive.',
      'The session was ended: auditors may read, but open no connections.',
    ]);
  });

  it('checks again, every second, those that it could not check', async () => {
    const { now, revalidation, watched, changed, cuts } = world();
    watched();
    now.principal = async () => Promise.reject(new Error('the database is away'));
    await changed('users');
    await revalidation.revalidateMissed();
    expect(cuts).toEqual([]);
    now.principal = async () => Promise.reject(new AppError('unauthenticated', 'this user is inactive'));
    await revalidation.revalidateMissed();
    await revalidation.revalidateMissed();
    expect(cuts).toEqual(['The session was ended: this user is inactive.']);
  });

  it('checks machines every second: nobody tells that their API key has expired; scripts may finish', async () => {
    const { now, revalidation, watched, cuts } = world();
    const machine = { ...alice, identityType: 'machine' } as const;
    watched({ principal: machine, verb: 'exec' });
    watched({ principal: machine });
    watched();
    await revalidation.revalidateMissed();
    expect(cuts).toEqual([]);
    now.principal = async () => Promise.reject(new AppError('unauthenticated', 'this API key is expired'));
    await revalidation.revalidateMissed();
    expect(cuts).toEqual(['The session was ended: this API key is expired.']);
  });

  it('checks all of them, every second, while the feed is down', async () => {
    const { now, feed, revalidation, watched, cuts } = world();
    watched();
    now.principal = async () => Promise.reject(new AppError('unauthenticated', 'this user is inactive'));
    await revalidation.revalidateMissed();
    expect(cuts).toEqual([]);
    feed.live = false;
    await revalidation.revalidateMissed();
    expect(cuts).toHaveLength(1);
  });

  it('leaves sessions alone that are over', async () => {
    const { now, watched, changed, lose, cuts } = world();
    now.decision = denied;
    lose('dba');
    watched()();
    await changed('user_groups');
    expect(cuts).toEqual([]);
  });

  it('cuts the clients of a connection that is gone, in the words of its deletion; scripts may finish', async () => {
    const { now, watched, changed, lose, cuts } = world();
    now.target = undefined;
    watched({ verb: 'exec' });
    await changed('connections', 'orders');
    expect(cuts).toEqual([]);
    watched();
    await changed('connections', 'orders');
    lose('dba');
    await changed('user_groups');
    expect(cuts).toEqual(['The connection was deleted.', 'The connection was deleted.']);
  });
});
