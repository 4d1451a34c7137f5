import { type AccessRevokedData, type ReviewDecidedData, subjectOf } from './event';

const connection = { id: 'c', name: 'orders', subtype: 'postgres' };
const user = { id: 'alice', email: 'alice@example.com', name: 'Alice', identity_type: 'user' } as const;

describe('what an event belongs to', () => {
  it.each([
    ['s', 'r', 's'],
    [null, 'r', 'r'],
  ])('is, of a review of session %s and id %s: %s', (session_id, review_id, subject) => {
    const data: ReviewDecidedData = {
      review_id,
      session_id,
      call: null,
      review_type: 'jit',
      connection,
      requester: user,
      rules: [],
      reason: null,
      status: 'APPROVED',
      decided_by: user,
      forced: false,
      emergency: false,
      groups: ['dba'],
      force_reason: null,
      expires_at: null,
    };
    expect(subjectOf({ orgId: 'o', type: 'review.decided', data })).toBe(subject);
  });

  it.each([
    ['r', 'k', 'r'],
    [null, 'k', 'k'],
    [null, null, null],
  ])('is, of access by review %s and credential %s: %s', (review_id, credential_id, subject) => {
    const data: AccessRevokedData = {
      review_id,
      credential_id,
      connection,
      user,
      reason: 'revoked',
      revoked_by: null,
    };
    expect(subjectOf({ orgId: 'o', type: 'access.revoked', data })).toBe(subject);
  });
});
