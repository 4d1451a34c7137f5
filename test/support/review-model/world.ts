import { randomUUID } from 'node:crypto';
import * as fc from '../fast-check';
import type { ApprovalRule } from '../../../src/gate/ports/access-decider';
import type { Principal } from '../../../src/kernel/principal';
import type { TimeWindow } from '../../../src/approvals/reviews/machine/time-window';

/** Groups of people and rules: `a`, `b` review; `c`, `d` must approve; `f`, `g` may force an approval. */
const GROUPS = ['a', 'b', 'c', 'd', 'f', 'g'] as const;

/** The people who act. */
export const CAST = [
  'asker',
  'ann',
  'ben',
  'cyd',
  'dan',
  'eve',
  'root',
  'stranger',
  'robot',
  'root-robot',
] as const;
export type Name = (typeof CAST)[number];

/** The initial state of a test run: the rules of its review, and the people. */
export interface World {
  readonly rules: readonly ApprovalRule[];
  /** People and their groups. Their groups change while a review waits, so each run has its own copy. */
  readonly people: Record<Name, Principal>;
  /** Hour of the day (UTC) in which the run takes place. */
  readonly hour: number;
}

export const groups = fc.subarray([...GROUPS], { minLength: 1, maxLength: 4 });

export const worlds: fc.Arbitrary<World> = fc
  .record({
    rules: fc.array(
      fc.record({
        reviewersGroups: fc.subarray(['a', 'b'], { minLength: 1 }),
        approvalRequiredGroups: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.subarray(['c', 'd'])),
        forceApprovalGroups: fc.subarray(['f', 'g']),
        allGroupsMustApprove: fc.boolean(),
        minApprovals: fc.constantFrom(null, 0, 1, 1, 2, 2, 3),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    asker: groups,
    ann: groups,
    ben: groups,
    cyd: groups,
    dan: groups,
    eve: groups,
    robot: groups,
    isAdmin: fc.boolean(),
  })
  .map(({ rules, isAdmin, ...members }): World => {
    const person = (name: Name, own: readonly string[], more: Partial<Principal> = {}): Principal => ({
      orgId: '',
      userId: randomUUID(),
      subject: name,
      email: `${name}@example.com`,
      name,
      groups: own,
      role: 'regular',
      identityType: 'user',
      ...more,
    });
    return {
      rules: rules.map((rule, place) => ({
        id: randomUUID(),
        name: `rule-${place}`,
        accessMaxDuration: 3_600,
        ...rule,
      })),
      people: {
        // Even an admin cannot approve their own request.
        asker: person('asker', members.asker, { role: isAdmin ? 'admin' : 'regular' }),
        ann: person('ann', members.ann),
        ben: person('ben', members.ben),
        cyd: person('cyd', members.cyd),
        dan: person('dan', members.dan),
        eve: person('eve', members.eve),
        root: person('root', ['admin'], { role: 'admin' }),
        stranger: person('stranger', ['x']),
        robot: person('robot', members.robot, { identityType: 'machine' }),
        'root-robot': person('root-robot', ['admin', 'a', 'f'], { identityType: 'machine', role: 'admin' }),
      },
      hour: new Date().getUTCHours(),
    };
  });

/** A period of hours relative to the test run: 0 is the hour of the day in which the run takes place. */
export interface Hours {
  readonly from: number;
  readonly to: number;
}

/** Some periods include the hour of the run. Two periods overlap in one part, in two parts, or not at all. */
export const HOURS: readonly Hours[] = [
  { from: 22, to: 3 },
  { from: 20, to: 12 },
  { from: 12, to: 8 },
  { from: 4, to: 9 },
  { from: 8, to: 21 },
];

export function windowOf({ from, to }: Hours, hour: number): TimeWindow {
  const clock = (ahead: number): string => `${String((hour + ahead) % 24).padStart(2, '0')}:00`;
  return { type: 'time_range', configuration: { start_time: clock(from), end_time: clock(to) } };
}
