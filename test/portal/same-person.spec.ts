import { type Review, hasOtherAccount, sayOf } from '../../portal/src/reviews/review';

const account = (id: string, email: string) => ({ id, name: id, email, slack_id: '' });
const bob = { ...account('bob', 'bob@example.com'), groups: ['dba'] };
const zed = account('zed', 'Bob@Example.com');
const alice = account('alice', 'alice@example.com');

describe('another account of the same person', () => {
  const asked = (owner: typeof alice, voter: typeof alice | null, isForced = false) => ({
    review_owner: owner,
    review_groups_data: [
      { group: 'dba', status: 'PENDING', forced_review: isForced, reviewed_by: voter },
    ] as unknown as Review['review_groups_data'],
    missing: [{ rule: 'r', approvals: 1, groups: ['dba'], each_of: [], one_of: [] }],
  });

  it.each([
    ['asked', asked(zed, null), 'otherAccount'],
    ['voted', asked(alice, zed), 'otherAccount'],
    ['did neither', asked(alice, null), 'can'],
    ['did neither, while the account itself voted', asked(alice, bob), 'can'],
  ])('%s', (_what, review, say) => {
    expect(sayOf(review, bob, false)).toBe(say);
    expect(hasOtherAccount(review, bob)).toBe(say === 'otherAccount');
  });

  it('is nobody without an address', () => {
    const nobody = { ...bob, email: '' };
    expect(hasOtherAccount(asked(account('none', ''), account('none', '')), nobody)).toBe(false);
  });

  it('counts for a sign-off only if it asked or forced', () => {
    const forced = (review: ReturnType<typeof asked>): boolean =>
      hasOtherAccount(review, bob, ({ forced_review }) => forced_review);
    expect([asked(alice, zed), asked(alice, zed, true), asked(zed, null)].map(forced)).toEqual([
      false,
      true,
      true,
    ]);
  });
});
