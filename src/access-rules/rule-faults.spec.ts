import * as fc from 'fast-check';
import { ACCESS_TYPES } from './access-rule.entity';
import { faultsOf, meetingTypes } from './rule-faults';

const sound = {
  allGroupsMustApprove: false,
  approvalRequiredGroups: [],
  reviewersGroups: ['dba'],
  skipReviewGroups: [],
  minApprovals: 1,
  attributes: [],
  connectionNames: ['orders'],
};

describe('the faults of an access request rule', () => {
  it('are none in a sound rule', () => {
    expect(faultsOf(sound)).toEqual([]);
    expect(faultsOf({ ...sound, connectionNames: [], attributes: ['pii'] })).toEqual([]);
    expect(faultsOf({ ...sound, allGroupsMustApprove: true, minApprovals: null })).toEqual([]);
    expect(faultsOf({ ...sound, skipReviewGroups: ['sre'] })).toEqual([]);
  });

  it('are all told at once', () => {
    const worst = {
      ...sound,
      connectionNames: [],
      reviewersGroups: [],
      minApprovals: 0,
      skipReviewGroups: ['a'],
      approvalRequiredGroups: ['b'],
    };
    expect(faultsOf(worst)).toHaveLength(4);
  });

  it('say that a number of approvals can never be met exactly when it cannot', () => {
    const groups = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 });
    fc.assert(
      fc.property(
        groups,
        groups,
        fc.integer({ min: 1, max: 6 }),
        (reviewersGroups, required, minApprovals) => {
          const rule = { ...sound, reviewersGroups, approvalRequiredGroups: required, minApprovals };
          const voices = new Set([...reviewersGroups, ...required]).size;
          expect(faultsOf(rule).some((fault) => fault.includes('can never be met'))).toBe(
            minApprovals > voices,
          );
        },
      ),
    );
  });
});

describe('access types that meet', () => {
  it('meet each other both ways, and themselves', () => {
    for (const one of ACCESS_TYPES) {
      expect(meetingTypes(one)).toContain(one);
      for (const other of ACCESS_TYPES) {
        expect(meetingTypes(one).includes(other)).toBe(meetingTypes(other).includes(one));
      }
    }
    expect(meetingTypes('jit')).not.toContain('command');
  });
});
