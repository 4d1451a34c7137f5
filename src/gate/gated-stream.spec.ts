import { Logger } from '@nestjs/common';
import {
  MemoryTrail,
  block,
  expectNever,
  failing,
  hit,
  pass,
  rules,
  sessionOver,
} from '../../test/support/gated-session';
import type { GuardrailSet, Mask, OutputScreen, Screened } from './ports/guardrails';
import { FAULT_MESSAGE } from './refusal';

describe('streams of output', () => {
  beforeAll(() => Logger.overrideLogger(false));

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

  it('counts what was masked, and records and delivers the masked text', async () => {
    const mask: Mask = { start: 0, end: 3, replacement: '****', ruleId: '1', label: 'email', bytes: 3 };
    const set: GuardrailSet = {
      judgesInput: true,
      screensOutput: true,
      mayTouch: () => true,
      judge: async () => pass,
      openScreen: () => ({
        before: '',
        push: async () => ({ kind: 'pass', text: '****', upTo: 3, masks: [mask] }),
        pushLines: () => expectNever(),
        flush: () => expectNever(),
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
    expect(await session.admit({ kind: 'statement', text: 'two' })).toMatchObject({ reason: 'fault' });
    const next = sessionOver({}).session;
    await next.admit({ kind: 'statement', text: 'one' });
    const stream = next.openStream('o');
    await stream.deliver('row');
    await stream.deliverRest();
    expect(await next.admit({ kind: 'statement', text: 'two' })).toEqual({ kind: 'forward' });
    expect(trail.exitCode).toBe(254);
  });

  describe('that ends while a screen holds output back', () => {
    const held = (last: Screened): GuardrailSet => ({
      ...rules(() => pass),
      openScreen: () => ({
        before: '',
        push: () => ({ kind: 'pass', text: '', upTo: 0, masks: [] }),
        pushLines: () => expectNever(),
        flush: () => expectNever(),
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

/**
 * Returns all objects that protocol code could reach from the roots through properties, without calling a
 * function.
 */
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
    const sink = { isFull: false, waitingBytes: 0, write: () => undefined, end: () => undefined };
    const writer = session.toClient(sink, { room: () => undefined, failed: () => undefined });
    const reachable = reachableFrom(session, stream, writer);
    expect(reachable.has(sink)).toBe(true);
    for (const raw of [trail, set, ...screens]) expect(reachable.has(raw)).toBe(false);
    for (const raw of ['append', 'appendAll', 'openScreen', 'release', 'trail', 'masked'])
      for (const held of [session, stream, writer]) expect(raw in held).toBe(false);
  });
});
