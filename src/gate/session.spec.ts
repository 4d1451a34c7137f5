import { Logger } from '@nestjs/common';
import type { Principal } from '../kernel/principal';
import { MemoryTrail } from '../../test/support/gated-session';
import { Approval } from './approval';
import { FAULT_MESSAGE, GuardedTrail } from './guarded-trail';
import type { AccessDecision } from './ports/access-decider';
import {
  BrokenRule,
  type GuardrailSet,
  type Hit,
  type Mask,
  type OutputScreen,
  type Screened,
  type Verdict,
} from './ports/guardrails';
import type { Target } from './ports/target-directory';
import { Session } from './session';

const hit: Hit = {
  ruleId: '1',
  ruleName: 'no-drops',
  direction: 'input',
  index: 0,
  entry: { type: 'deny_words_list', words: ['drop'], pattern_regex: '' },
  findings: [{ start: 0, end: 4, text: 'drop' }],
  message: 'We keep our tables.',
};
const pass = { kind: 'pass' } as Verdict;
const block = { kind: 'block', hit } as Verdict;
const failing = (): never => {
  throw new Error('broken');
};

const rules = (judge: () => Verdict, screen: () => Verdict = () => pass): GuardrailSet => ({
  judgesInput: true,
  screensOutput: true,
  mayTouch: () => true,
  judge: async () => judge(),
  openScreen: () => ({
    push: async (text) => {
      const verdict = screen();
      return verdict.kind === 'block' ? verdict : { kind: 'pass', text, upTo: text.length, masks: [] };
    },
    pushLines: () => expectNever(),
    finish: async () => ({ kind: 'pass', text: '', upTo: 0, masks: [] }),
  }),
});

/** Scripts bring text, not rows. */
function expectNever(): never {
  throw new Error('nobody asks for this');
}

function sessionOver(ports: {
  trail?: MemoryTrail;
  set?: GuardrailSet | Error;
  access?: AccessDecision;
  ask?: () => Promise<never>;
}) {
  const trail = ports.trail ?? new MemoryTrail();
  const { set = rules(() => pass), ask = failing } = ports;
  const guardrails = { for: async () => (set instanceof Error ? Promise.reject(set) : set) };
  const access = ports.access ?? { kind: 'allow' };
  const guarded = new GuardedTrail({} as Target, trail, guardrails);
  const desk = { ask: async () => ask() };
  const session = new Session(guarded, new Approval(desk, {} as Principal, {} as Target, access, null));
  return { session, trail };
}

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

  it('delivers output only once it is recorded, and nothing that a rule forbids', async () => {
    const { session, trail } = sessionOver({});
    await session.admit({ kind: 'statement', text: 'SELECT 1' });
    expect(await session.openStream('o').deliver('row')).toMatchObject({ kind: 'deliver', text: 'row' });
    expect(trail.events.at(-1)).toEqual(['o', 'row']);
    const guarded = sessionOver({
      set: rules(
        () => pass,
        () => block,
      ),
    });
    await guarded.session.admit({ kind: 'statement', text: 'SELECT 1' });
    expect(await guarded.session.openStream('o').deliver('row')).toEqual({
      kind: 'blocked',
      message: hit.message,
    });
    expect(guarded.trail.events).toEqual([
      ['i', 'SELECT 1'],
      ['e', `${hit.message}\n`],
    ]);
    expect([guarded.trail.judged, guarded.trail.hits]).toEqual([1, [hit]]);
  });

  it.each([
    ['the screen throws', { set: rules(() => pass, failing) }],
    ['output cannot be recorded', { trail: new MemoryTrail(1) }],
  ])('delivers nothing when %s', async (_, ports) => {
    const { session } = sessionOver(ports);
    await session.admit({ kind: 'statement', text: 'SELECT 1' });
    expect(await session.openStream('o').deliver('row')).toEqual({
      kind: 'blocked',
      message: FAULT_MESSAGE,
    });
  });

  it('delivers nothing before an input was judged', async () => {
    const { session, trail } = sessionOver({});
    expect(() => session.openStream('o')).toThrow('before any input was judged');
    expect(trail.events).toEqual([]);
  });

  it('tells the admin which rule is broken, and refuses', async () => {
    const broken = { ...hit, findings: [], fault: 'input.rules.0: type x is unknown' };
    const { session, trail } = sessionOver({ set: new BrokenRule(broken) });
    expect(await session.admit({ kind: 'statement', text: 'drop' })).toEqual(fault);
    expect(trail.hits).toEqual([broken]);
  });

  it('counts what was masked, and records and delivers the masked text', async () => {
    const mask: Mask = { start: 0, end: 3, replacement: '****', ruleId: '1', label: 'email', bytes: 3 };
    const set: GuardrailSet = {
      judgesInput: true,
      screensOutput: true,
      mayTouch: () => true,
      judge: async () => pass,
      openScreen: () => ({
        push: async () => ({ kind: 'pass', text: '****', upTo: 3, masks: [mask] }),
        pushLines: () => expectNever(),
        finish: async () => ({ kind: 'pass', text: '', upTo: 3, masks: [] }),
      }),
    };
    const { session, trail } = sessionOver({ set });
    await session.admit({ kind: 'statement', text: 'SELECT 1' });
    expect(await session.openStream('o').deliver('row')).toMatchObject({ kind: 'deliver', text: '****' });
    expect(trail.events.at(-1)).toEqual(['o', '****']);
    expect(trail.masks).toEqual([mask]);
  });

  it('takes no input while output of the one before is held back, which would be lost', async () => {
    const { session, trail } = sessionOver({});
    await session.admit({ kind: 'statement', text: 'one' });
    await session.openStream('o').deliver('row');
    expect(await session.admit({ kind: 'statement', text: 'two' })).toEqual(fault);
    const next = sessionOver({}).session;
    await next.admit({ kind: 'statement', text: 'one' });
    const stream = next.openStream('o');
    await stream.deliver('row');
    await stream.deliverRest();
    expect(await next.admit({ kind: 'statement', text: 'two' })).toEqual({ kind: 'forward' });
    expect(trail.exitCode).toBe(254);
  });

  it('judges each input by the rules as they stand then', async () => {
    let verdict = pass;
    const { session } = sessionOver({ set: rules(() => verdict) });
    expect(await session.admit({ kind: 'statement', text: 'one' })).toEqual({ kind: 'forward' });
    verdict = block;
    expect(await session.admit({ kind: 'statement', text: 'two' })).toEqual(refusal);
  });

  describe('that ends while a screen holds output back', () => {
    const held = (last: Screened): GuardrailSet => ({
      ...rules(() => pass),
      openScreen: () => ({
        push: () => ({ kind: 'pass', text: '', upTo: 0, masks: [] }),
        pushLines: () => expectNever(),
        finish: () => last,
      }),
    });

    it.each([
      [
        'records it',
        held({ kind: 'pass', text: 'row', upTo: 3, masks: [] }),
        [
          ['o', 'row'],
          ['e', 'Lost.\n'],
        ],
      ],
      [
        'records that it is blocked',
        held({ kind: 'block', hit }),
        [
          ['e', `${hit.message}\n`],
          ['e', 'Lost.\n'],
        ],
      ],
    ] as const)('%s, before the cause of the end', async (_, set, events) => {
      const { session, trail } = sessionOver({ set });
      await session.admit({ kind: 'statement', text: 'SELECT 1' });
      await session.openStream('o').deliver('row');
      await session.end(2, 'Lost.');
      expect(trail.events.slice(1)).toEqual(events);
      expect(trail.exitCode).toBe(2);
    });
  });

  it('takes nothing more of a stream that was blocked', async () => {
    const { session, trail } = sessionOver({
      set: rules(
        () => pass,
        () => block,
      ),
    });
    await session.admit({ kind: 'statement', text: 'SELECT 1' });
    const stream = session.openStream('o');
    const blocked = { kind: 'blocked', message: hit.message };
    expect(await stream.deliver('row')).toEqual(blocked);
    expect(await stream.deliver('row')).toEqual(blocked);
    expect(await stream.deliverRest()).toEqual(blocked);
    expect(trail.hits).toEqual([hit]);
  });
});

/** What a protocol could take hold of: everything that can be reached from an object without calling it. */
function reachableFrom(...roots: object[]): Set<unknown> {
  const found = new Set<unknown>(roots);
  for (const one of found) {
    if (one instanceof AbortSignal || one === null || typeof one !== 'object') continue;
    for (const key of Reflect.ownKeys(one)) found.add((one as Record<PropertyKey, unknown>)[key]);
  }
  return found;
}

describe('what a protocol holds of a session', () => {
  it('does not lead to the recording, the rules or a screen', async () => {
    const screens: OutputScreen[] = [];
    const open = rules(() => pass);
    const set: GuardrailSet = {
      ...open,
      openScreen: () => {
        const screen = open.openScreen();
        screens.push(screen);
        return screen;
      },
    };
    const { session, trail } = sessionOver({ set });
    await session.admit({ kind: 'statement', text: 'SELECT 1' });
    const stream = session.openStream('o');
    const sink = { isFull: false, write: () => undefined, end: () => undefined };
    const writer = session.toClient(sink, { room: () => undefined, failed: () => undefined });
    const reachable = reachableFrom(session, stream, writer);
    expect(reachable.has(sink)).toBe(true);
    for (const raw of [trail, set, ...screens]) expect(reachable.has(raw)).toBe(false);
    for (const raw of ['append', 'appendAll', 'openScreen', 'release', 'trail', 'masked'])
      for (const held of [session, stream, writer]) expect(raw in held).toBe(false);
  });
});
