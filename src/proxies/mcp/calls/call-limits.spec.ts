import type { McpPolicy } from '../../../gate/ports/target-directory';
import { GatewayCounts } from '../../kit/counts';
import { CallLimits, type StreamAdmission } from './call-limits';

const alice = { userId: 'alice', identityType: 'user' } as const;
const target = (policy: Partial<McpPolicy> | null, id = 't') => ({ id, mcp: policy as McpPolicy | null });

// promises: TOOL-9
describe('the limits of a policy', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    // Starts the clock at 1 s, because the cache treats a time of 0 ms as no time.
    jest.advanceTimersByTime(1_000);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('count calls of one tool by one principal on one connection in a minute', () => {
    const limits = new CallLimits(new GatewayCounts());
    const limited = target({ callsPerMinute: 2 });
    const call = (
      tool = 'send',
      caller: typeof alice | { userId: string; identityType: 'machine' } = alice,
    ) => limits.exceeded(caller, limited, tool);
    expect([call(), call()]).toEqual([undefined, undefined]);
    jest.advanceTimersByTime(20_500);
    expect(call()).toBe('You may call this tool 2 times a minute. Try again in 40 seconds.');
    expect([
      call('read'),
      call('send', { userId: 'alice', identityType: 'machine' }),
      limits.exceeded(alice, target({ callsPerMinute: 2 }, 'other'), 'send'),
    ]).toEqual([undefined, undefined, undefined]);
    jest.advanceTimersByTime(39_600);
    // Refused calls were not counted.
    expect([call(), call(), typeof call()]).toEqual([undefined, undefined, 'string']);
  });

  it('follow a change of the policy at once', () => {
    const limits = new CallLimits(new GatewayCounts());
    const call = (callsPerMinute: number | null) =>
      limits.exceeded(alice, target({ callsPerMinute }), 'send');
    expect(call(1)).toBeUndefined();
    expect(call(1)).toBe('You may call this tool once a minute. Try again in 60 seconds.');
    expect([call(2), call(null), limits.exceeded(alice, target(null), 'send')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('count open streams', () => {
    const limits = new CallLimits(new GatewayCounts());
    // `openStream` answers without a promise, because its counts are in memory.
    const open = (streams: number | null = 2, id = 't') =>
      limits.openStream(alice, target({ streams }, id)) as StreamAdmission;
    const [first] = [open(), open()];
    expect(open()).toEqual({
      kind: 'full',
      message: 'You already have 2 streams on this connection, which is the limit. Close one of them.',
    });
    expect([open(2, 'other').kind, open(null).kind]).toEqual(['place', 'place']);
    if (first?.kind !== 'place') throw new Error('the first stream has no place');
    first.leave();
    first.leave();
    // Three streams were open, and one has ended, so two are left. A stream without a limit counts, too.
    expect(open().kind).toBe('full');
    expect(open(3).kind).toBe('place');
  });
});
