import { Logger } from '@nestjs/common';
import { MemoryTrail, block, failing, hit, pass, rules, sessionOver } from '../../test/support/gated-session';
import type { Principal } from '../kernel/principal';
import { CallApprovals } from './approval';
import { GuardedTrail } from './guarded-trail';
import type { AccessDecision } from './ports/access-decider';
import { BrokenRule } from './ports/guardrails';
import type { Target } from './ports/target-directory';
import { FAULT_MESSAGE } from './refusal';
import { Session } from './session';

const review: AccessDecision = { kind: 'review', rules: [] };

describe('the gate', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('forwards what was judged and recorded, in this order', async () => {
    const order: string[] = [];
    const trail = new MemoryTrail();
    const append = trail.append.bind(trail);
    trail.append = async (type, text) => append(type, text).then(() => void order.push(`recorded ${type}`));
    const { session } = sessionOver({ trail, set: rules(() => (order.push('judged'), pass)) });
    expect(await session.admit({ kind: 'statement', text: 'SELECT 1' })).toEqual({ kind: 'forward' });
    expect(order).toEqual(['judged', 'recorded i']);
    expect(trail.exitCode).toBeUndefined();
  });

  const fault = { kind: 'refused', reason: 'fault', message: FAULT_MESSAGE };
  const refusal = { kind: 'refused', reason: 'guardrail', message: hit.message };

  it.each([
    ['is forwarded where all is well', rules(() => pass), { kind: 'forward' }, []],
    ['is refused where a rule hits now', rules(() => block), refusal, [['e', `${hit.message}\n`]]],
    ['is refused where the judge throws', rules(failing), fault, [['e', `${FAULT_MESSAGE}\n`]]],
    ['is refused without rules', new Error('no rules'), fault, [['e', `${FAULT_MESSAGE}\n`]]],
  ])('judges what was recorded before once more: it %s', async (_, set, admission, events) => {
    const { session, trail } = sessionOver({ set });
    expect(await session.admit({ kind: 'approved', text: 'SELECT 1' })).toEqual(admission);
    expect(trail.events).toEqual(events);
    expect(trail.exitCode).toBe(admission.kind === 'forward' ? undefined : 254);
  });

  it.each([
    ['a rule hits', { set: rules(() => block) }, refusal],
    ['the judge throws', { set: rules(failing) }, fault],
    ['rules cannot be loaded', { set: new Error('no rules') }, fault],
    [
      'access is denied',
      { access: { kind: 'deny', code: 'verb_disabled', message: 'No.' } as const },
      { kind: 'refused', reason: 'access', message: 'No.' },
    ],
    ['reviewers cannot be asked', { access: review }, fault],
    [
      'reviewers said no',
      { access: review, ask: async () => ({ kind: 'rejected', message: 'Not today.' }) as never },
      { kind: 'refused', reason: 'access', message: 'Not today.' },
    ],
  ])('refuses when %s, records what was refused and why, and ends', async (_, ports, expected) => {
    const { session, trail } = sessionOver(ports);
    expect(await session.admit({ kind: 'statement', text: 'drop' })).toEqual(expected);
    expect(trail.events).toEqual([
      ['i', 'drop'],
      ['e', `${expected.message}\n`],
    ]);
    expect(trail.exitCode).toBe(254);
  });

  it.each([pass, block])('refuses what it cannot record (verdict: $kind), and ends', async (verdict) => {
    const { session, trail } = sessionOver({ trail: new MemoryTrail(0), set: rules(() => verdict) });
    expect(await session.admit({ kind: 'statement', text: 'drop' })).toEqual(fault);
    expect(trail.exitCode).toBe(254);
  });

  it('still refuses when the recorder fails late, while the refusal is recorded', async () => {
    const { session, trail } = sessionOver({ trail: new MemoryTrail(1), set: rules(() => block) });
    expect(await session.admit({ kind: 'statement', text: 'drop' })).toMatchObject({ kind: 'refused' });
    expect(trail.events).toEqual([['i', 'drop']]);
    expect(trail.exitCode).toBe(254);
  });

  it('refuses even when the session cannot be ended', async () => {
    const trail = new MemoryTrail(0);
    trail.end = () => Promise.reject(new Error('broken'));
    expect(await sessionOver({ trail }).session.admit({ kind: 'statement', text: 'drop' })).toEqual(fault);
  });

  it('leaves the session waiting while reviewers decide', async () => {
    const ask = async () => ({ kind: 'pending', reviewId: 'review' }) as never;
    const { session, trail } = sessionOver({ access: review, ask });
    expect(await session.admit({ kind: 'statement', text: 'drop' })).toEqual({
      kind: 'pending',
      reviewId: 'review',
    });
    expect([trail.parked, trail.exitCode]).toEqual([true, undefined]);
  });

  it('tells the admin which rule is broken, and refuses', async () => {
    const broken = { ...hit, findings: [], fault: 'input.rules.0: type x is unknown' };
    const { session, trail } = sessionOver({ set: new BrokenRule(broken) });
    expect(await session.admit({ kind: 'statement', text: 'drop' })).toEqual(fault);
    expect(trail.hits).toEqual([broken]);
  });

  it('judges each input by the rules as they stand then', async () => {
    let verdict = pass;
    const { session } = sessionOver({ set: rules(() => verdict) });
    expect(await session.admit({ kind: 'statement', text: 'one' })).toEqual({ kind: 'forward' });
    verdict = block;
    expect(await session.admit({ kind: 'statement', text: 'two' })).toEqual(refusal);
  });
});

describe('a call of a live session', () => {
  const claimed = { kind: 'claimed', reviewId: 'review' } as const;
  const call = {
    kind: 'call',
    text: 'delete 1',
    judged: [{ text: '1', as: 'input' }],
    call: { name: 'delete', arguments: '1', hash: Buffer.alloc(32) },
  } as const;
  const sessionWith = (askCall: (trail: MemoryTrail) => Promise<typeof claimed>) => {
    const trail = new MemoryTrail();
    const guarded = new GuardedTrail({} as Target, trail, {
      areCached: true,
      for: async () => rules(() => pass),
    });
    const desk = {
      requestReview: failing,
      askCall: () => askCall(trail),
      decided: failing,
      callOver: async () => undefined,
    };
    const review = async () => ({ kind: 'review', rules: [] }) as const;
    const calls = new CallApprovals(desk, {} as Principal, {} as Target, null, {
      decide: review,
      decided: failing,
    });
    return { trail, session: new Session(guarded, undefined, calls) };
  };

  it('is not recorded a second time when it is repeated after the decision', async () => {
    const { session, trail } = sessionWith(async () => claimed);
    await session.admitCall(call);
    await session.admitCall({ ...call, isRecorded: true });
    expect(trail.events).toEqual([['i', 'delete 1']]);
  });

  it('goes on when its approval is claimed, and is recorded first', async () => {
    const { session, trail } = sessionWith(async ({ events }) => {
      expect(events).toEqual([['i', 'delete 1']]);
      return claimed;
    });
    expect(await session.admitCall(call)).toEqual({ kind: 'forward', over: expect.any(Function) });
    expect(trail.exitCode).toBeUndefined();
  });

  it.each([
    [
      'the session ended while the answer was awaited',
      async (trail: MemoryTrail) => (trail.killed.abort(), claimed),
    ],
    ['nobody can be asked', async () => failing()],
  ])('does not go on when %s', async (_, askCall) => {
    const { session, trail } = sessionWith(askCall);
    expect(await session.admitCall(call)).toEqual({
      kind: 'refused',
      reason: 'fault',
      message: FAULT_MESSAGE,
    });
    expect(trail.events).toEqual([
      ['i', 'delete 1'],
      ['e', `${FAULT_MESSAGE}\n`],
    ]);
  });
});
