import { approvalRule, asks } from './asking-rules';
import type { AccessRule } from './access-rule.entity';

describe('whether a rule asks', () => {
  it.each([
    // [skip_review_groups, approval_required_groups, groups of the requester, whether the rule needs an
    // approval]
    [[], [], [], true],
    [[], [], ['a'], true],
    [['a'], [], [], true],
    [['a'], [], ['b'], true],
    [['a'], [], ['a'], false],
    [['a', 'b'], [], ['c', 'b'], false],
    [['a'], ['c'], ['a'], true],
    [['a'], ['c'], ['a', 'c'], true],
    [['A'], [], ['a'], true],
  ])('sparing %j, requiring %j, of %j: %s', (skipReviewGroups, approvalRequiredGroups, groups, expected) => {
    expect(asks({ skipReviewGroups, approvalRequiredGroups }, groups)).toBe(expected);
  });

  it('is told without anything that changes meanwhile', () => {
    const rule = {
      id: 'id',
      name: 'prod',
      reviewersGroups: ['a'],
      approvalRequiredGroups: ['b'],
      forceApprovalGroups: ['c'],
      allGroupsMustApprove: true,
      minApprovals: null,
      accessMaxDuration: null,
      skipReviewGroups: [],
      version: 7,
    } as Partial<AccessRule> as AccessRule;
    expect(approvalRule(rule)).toEqual({
      id: 'id',
      name: 'prod',
      reviewersGroups: ['a'],
      approvalRequiredGroups: ['b'],
      forceApprovalGroups: ['c'],
      allGroupsMustApprove: true,
      minApprovals: null,
      accessMaxDuration: 172_800,
    });
  });
});
