import * as fc from '../../../../test/support/fast-check';
import type { ApprovalRule } from '../../../gate/ports/access-decider';
import { type Vote, missingOf, outcome } from './outcome';

const rule = (more: Partial<ApprovalRule>): ApprovalRule => ({
  id: 'rule',
  name: 'rule',
  reviewersGroups: ['a', 'b'],
  approvalRequiredGroups: [],
  forceApprovalGroups: ['f'],
  allGroupsMustApprove: false,
  minApprovals: 1,
  accessMaxDuration: 3600,
  ...more,
});

/** Parses votes. `Ann:ab` approves for the groups a and b, `Ann:f!` forces the approval, `Ann:-a` rejects. */
function votesOf(text: string): Vote[] {
  const said = text.trim() === '' ? [] : text.trim().split(/\s+/);
  return said.map((one) => {
    const [person = '', what = ''] = one.split(':');
    return {
      person,
      verdict: what.startsWith('-') ? 'REJECTED' : 'APPROVED',
      groups: [...what.replaceAll(/[-!]/g, '')],
      forced: what.endsWith('!'),
    };
  });
}

const signs = { '+': 'APPROVED', '-': 'REJECTED', '.': 'PENDING' } as const;
const MIN_APPROVALS = [null, 0, 1, 2, 3] as const;

/** Parses a table into cases. A row has votes, then one expected result (`signs`) per `MIN_APPROVALS`. */
function cases(table: string): [votes: string, minApprovals: number | null, expected: string][] {
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.flatMap(([votes = '', ...expected]) =>
    MIN_APPROVALS.map((minApprovals, column): [string, number | null, string] => [
      votes,
      minApprovals,
      signs[expected[column] as keyof typeof signs],
    ]),
  );
}

describe('what votes come to', () => {
  // promises: RULE-3, REVIEW-16
  describe('when any reviewer may approve (a, b)', () => {
    it.each(
      // votes                 | expected result for min_approvals null, 0, 1, 2, 3
      cases(`
                               |  .  | . | . | . | .
        Ann:a                  |  +  | . | + | . | .
        Ann:b                  |  +  | . | + | . | .
        Ann:ab                 |  +  | . | + | . | .
        Ann:a Ben:a            |  +  | . | + | + | .
        Ann:a Ben:b            |  +  | . | + | + | .
        Ann:ab Ben:ab          |  +  | . | + | + | .
        Ann:a Ben:a Cyd:a      |  +  | . | + | + | +
        Ann:a Ben:b Cyd:ab     |  +  | . | + | + | +
        Ann:a Ben:a Cyd:a Dan:b|  +  | . | + | + | +
        Ann:x                  |  .  | . | . | . | .
        Ann:a Ben:x            |  +  | . | + | . | .
        Ann:x Ben:x Cyd:x      |  .  | . | . | . | .
        Ann:f                  |  .  | . | . | . | .
        Ann:f!                 |  +  | + | + | + | +
        Ann:a!                 |  +  | . | + | . | .
        Ann:x!                 |  .  | . | . | . | .
        Ann:a Ben:f!           |  +  | + | + | + | +
        Ann:-a                 |  -  | - | - | - | -
        Ann:-                  |  -  | - | - | - | -
        Ann:a Ben:a Cyd:a Dan:-|  -  | - | - | - | -
        Ann:f! Ben:-a          |  -  | - | - | - | -
      `),
    )('"%s", min_approvals %s: %s', (votes, minApprovals, expected) => {
      expect(outcome([rule({ minApprovals })], votesOf(votes))).toBe(expected);
    });
  });

  // promises: RULE-17
  describe('when all reviewers must approve (a, b)', () => {
    it.each(
      // votes                 | expected result for min_approvals null, 0, 1, 2, 3
      cases(`
                               |  .  | . | . | . | .
        Ann:a                  |  .  | . | . | . | .
        Ann:b                  |  .  | . | . | . | .
        Ann:a Ben:a            |  .  | . | . | . | .
        Ann:a Ben:a Cyd:a      |  .  | . | . | . | .
        Ann:ab                 |  +  | + | + | . | .
        Ann:a Ben:b            |  +  | + | + | + | .
        Ann:ab Ben:a           |  +  | + | + | + | .
        Ann:ab Ben:x           |  +  | + | + | . | .
        Ann:ab Ben:f           |  +  | + | + | . | .
        Ann:a Ben:b Cyd:a      |  +  | + | + | + | +
        Ann:a Ben:x Cyd:x      |  .  | . | . | . | .
        Ann:f                  |  .  | . | . | . | .
        Ann:f!                 |  +  | + | + | + | +
        Ann:ab!                |  +  | + | + | . | .
        Ann:a Ben:b Cyd:-a     |  -  | - | - | - | -
      `),
    )('"%s", min_approvals %s: %s', (votes, minApprovals, expected) => {
      const all = rule({ minApprovals, allGroupsMustApprove: true });
      expect(outcome([all], votesOf(votes))).toBe(expected);
    });
  });

  describe('when one of the required groups (c, d) must approve beside the reviewers (a, b)', () => {
    it.each(
      // votes                 | expected result for min_approvals null, 0, 1, 2, 3
      cases(`
                               |  .  | . | . | . | .
        Ann:a                  |  .  | . | . | . | .
        Ann:a Ben:b            |  .  | . | . | . | .
        Ann:a Ben:b Cyd:a      |  .  | . | . | . | .
        Ann:c                  |  +  | . | + | . | .
        Ann:d                  |  +  | . | + | . | .
        Ann:cd                 |  +  | . | + | . | .
        Ann:ac                 |  +  | . | + | . | .
        Ann:a Ben:c            |  +  | . | + | + | .
        Ann:c Ben:c            |  +  | . | + | + | .
        Ann:c Ben:d            |  +  | . | + | + | .
        Ann:a Ben:b Cyd:d      |  +  | . | + | + | +
        Ann:c Ben:x            |  +  | . | + | . | .
        Ann:x                  |  .  | . | . | . | .
        Ann:f!                 |  +  | + | + | + | +
        Ann:a!                 |  .  | . | . | . | .
        Ann:c Ben:-a           |  -  | - | - | - | -
      `),
    )('"%s", min_approvals %s: %s', (votes, minApprovals, expected) => {
      const required = rule({ minApprovals, approvalRequiredGroups: ['c', 'd'] });
      expect(outcome([required], votesOf(votes))).toBe(expected);
    });
  });

  // promises: RULE-4, RULE-17
  describe('when all of the required groups (c, d) must approve beside the reviewers (a, b)', () => {
    it.each(
      // votes                 | expected result for min_approvals null, 0, 1, 2, 3
      cases(`
                               |  .  | . | . | . | .
        Ann:a Ben:b            |  .  | . | . | . | .
        Ann:c                  |  .  | . | . | . | .
        Ann:c Ben:c            |  .  | . | . | . | .
        Ann:a Ben:c            |  .  | . | . | . | .
        Ann:a Ben:b Cyd:c      |  .  | . | . | . | .
        Ann:cd                 |  +  | + | + | . | .
        Ann:c Ben:d            |  +  | + | + | + | .
        Ann:cd Ben:a           |  +  | + | + | + | .
        Ann:ac Ben:bd          |  +  | + | + | + | .
        Ann:a Ben:c Cyd:d      |  +  | + | + | + | +
        Ann:cd Ben:x           |  +  | + | + | . | .
        Ann:f!                 |  +  | + | + | + | +
        Ann:c Ben:d!           |  +  | + | + | + | .
        Ann:cd Ben:-           |  -  | - | - | - | -
      `),
    )('"%s", min_approvals %s: %s', (votes, minApprovals, expected) => {
      const all = rule({ minApprovals, approvalRequiredGroups: ['c', 'd'], allGroupsMustApprove: true });
      expect(outcome([all], votesOf(votes))).toBe(expected);
    });
  });

  describe('of several rules: one of a, forced by f; one of b, two people, forced by f and g', () => {
    const rules = [
      rule({ reviewersGroups: ['a'], forceApprovalGroups: ['f'] }),
      rule({ reviewersGroups: ['b'], minApprovals: 2, forceApprovalGroups: ['f', 'g'] }),
    ];

    it.each([
      ['', 'PENDING'],
      ['Ann:a', 'PENDING'],
      ['Ann:b Ben:b', 'PENDING'],
      ['Ann:a Ben:b', 'PENDING'],
      ['Ann:ab Ben:b', 'APPROVED'],
      ['Ann:a Ben:b Cyd:b', 'APPROVED'],
      ['Ann:a Ben:b Cyd:b Dan:b', 'APPROVED'],
      ['Ann:f!', 'APPROVED'],
      ['Ann:g!', 'PENDING'],
      ['Ann:a Ben:g!', 'APPROVED'],
      ['Ann:ag!', 'APPROVED'],
      ['Ann:f Ben:g', 'PENDING'],
      ['Ann:f! Ben:-b', 'REJECTED'],
    ])('"%s": %s', (votes, expected) => {
      expect(outcome(rules, votesOf(votes))).toBe(expected);
    });
  });

  // promises: REVIEW-16
  it('is never a yes without a rule', () => {
    expect(outcome([], votesOf('Ann:a Ben:f!'))).toBe('PENDING');
  });

  const groups = fc.subarray(['a', 'b', 'c', 'd', 'f', 'x']);
  const votes = fc
    .array(
      fc.record({
        verdict: fc.constantFrom<Vote['verdict'][]>('APPROVED', 'APPROVED', 'APPROVED', 'REJECTED'),
        groups,
        forced: fc.boolean(),
      }),
      { maxLength: 6 },
    )
    .map((said): Vote[] => said.map((one, place) => ({ person: `p${place}`, ...one })));
  const rules = fc.array(
    fc.record({
      reviewersGroups: fc.subarray(['a', 'b'], { minLength: 1 }),
      approvalRequiredGroups: fc.subarray(['c', 'd']),
      forceApprovalGroups: fc.subarray(['f', 'a']),
      allGroupsMustApprove: fc.boolean(),
      minApprovals: fc.constantFrom(...MIN_APPROVALS),
    }),
    { minLength: 1, maxLength: 3 },
  );

  it('does not depend on the order of rules and votes, and another yes takes none back', () => {
    fc.assert(
      fc.property(rules, votes, groups, (written, said, more) => {
        const asked = written.map(rule);
        const before = outcome(asked, said);
        expect(outcome(asked.toReversed(), said.toReversed())).toBe(before);
        const after = outcome(asked, [
          ...said,
          { person: 'late', verdict: 'APPROVED', groups: more, forced: false },
        ]);
        if (before !== 'PENDING') expect(after).toBe(before);
      }),
      { numRuns: 2_000 },
    );
  });

  // promises: REVIEW-23
  it('is missing exactly so many people, who speak for all groups that are missing', () => {
    fc.assert(
      fc.property(rules, votes, (written, said) => {
        const approvals = said.filter(({ verdict }) => verdict === 'APPROVED');
        const asked = written.map((one, place) => rule({ ...one, name: `rule ${place}` }));
        const missing = missingOf(asked, approvals);
        expect(missing.length === 0).toBe(outcome(asked, approvals) === 'APPROVED');
        for (const one of missing) {
          const of = asked.filter(({ name }) => name === one.rule);
          const spoken = [...one.groups, ...one.each, ...one.oneOf];
          const people = (count: number): Vote[] =>
            Array.from({ length: count }, (_, at) => ({
              person: `more ${at}`,
              verdict: 'APPROVED',
              groups: spoken,
              forced: false,
            }));
          expect(outcome(of, [...approvals, ...people(one.approvals - 1)])).toBe('PENDING');
          const isPossible = of.every((each) => each.allGroupsMustApprove || each.minApprovals !== 0);
          expect(outcome(of, [...approvals, ...people(one.approvals)])).toBe(
            isPossible ? 'APPROVED' : 'PENDING',
          );
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is missing each group, one of some groups, or a number of people', () => {
    const all = rule({ reviewersGroups: ['a', 'b', 'c'], allGroupsMustApprove: true, minApprovals: null });
    expect(missingOf([all], votesOf('Ann:b'))).toEqual([
      { rule: 'rule', approvals: 1, groups: ['a', 'b', 'c'], each: ['a', 'c'], oneOf: [] },
    ]);
    const some = rule({ approvalRequiredGroups: ['c', 'd'], minApprovals: 2 });
    expect(missingOf([some], votesOf('Ann:a'))).toEqual([
      { rule: 'rule', approvals: 1, groups: ['a', 'b', 'c', 'd'], each: [], oneOf: ['c', 'd'] },
    ]);
    expect(missingOf([rule({ minApprovals: 3 })], votesOf('Ann:a'))).toEqual([
      { rule: 'rule', approvals: 2, groups: ['a', 'b'], each: [], oneOf: [] },
    ]);
  });
});
