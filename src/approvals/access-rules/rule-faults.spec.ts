import { ACCESS_TYPES } from './access-rule.entity';
import { accessRuleFaults, meetingTypes, unmeetable } from './rule-faults';

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
    expect(accessRuleFaults(sound)).toEqual([]);
    expect(accessRuleFaults({ ...sound, connectionNames: [], attributes: ['pii'] })).toEqual([]);
    expect(accessRuleFaults({ ...sound, allGroupsMustApprove: true, minApprovals: null })).toEqual([]);
    expect(accessRuleFaults({ ...sound, skipReviewGroups: ['sre'] })).toEqual([]);
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
    expect(accessRuleFaults(worst)).toHaveLength(4);
  });
});

describe('a number of approvals', () => {
  it.each([
    // [min_approvals, number of groups, number of people, whether the rule can never be satisfied]
    [null, 1, 0, false],
    [1, 1, 0, false],
    [2, 2, 0, false],
    [2, 1, 2, false],
    [5, 1, 5, false],
    [2, 1, 1, true],
    [3, 2, 2, true],
    [6, 1, 5, true],
    [2 ** 40, 3, 40, true],
  ])('%s of %s groups with %s people can never be met: %s', (minApprovals, groups, people, isFault) => {
    const fault = unmeetable({ minApprovals, groups, people });
    if (isFault) expect(fault).toMatch(/^min_approvals can never be reached: /);
    else expect(fault).toBeUndefined();
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
