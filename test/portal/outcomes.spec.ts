import { outcomeOf } from '../../portal/src/sessions/outcome';

type Session = Parameters<typeof outcomeOf>[0];
type Review = NonNullable<Session['review']>;
type Decision = Review['status'];

const HIT = [{}] as unknown as Session['guardrails_info'];

describe('how a session went', () => {
  const of = (
    status: Session['status'],
    code: number | null,
    decision?: Decision,
    type: Review['type'] = 'onetime',
  ) =>
    outcomeOf({
      status,
      exit_code: code,
      guardrails_info: [],
      review: decision === undefined ? null : ({ status: decision, type } as Review),
    });

  it.each([
    ['open', null, undefined, 'open'],
    ['open', null, 'PENDING', 'waiting'],
    ['ready', null, 'APPROVED', 'ready'],
    ['open', null, 'PROCESSING', 'open'],
    ['done', 254, 'REJECTED', 'rejected'],
    ['done', 254, 'REVOKED', 'revoked'],
    ['done', 254, 'EXPIRED', 'expired'],
    ['done', 0, 'EXECUTED', 'clean'],
    ['done', 1, 'EXECUTED', 'failed'],
  ] as const)(
    'is told by the decision about it: %s, code %s, review %s',
    (status, code, decision, expected) => {
      expect(of(status, code, decision)).toBe(expected);
    },
  );

  it('is told by its code where it ran under approved access for a while', () => {
    expect(of('done', 0, 'EXPIRED', 'jit')).toBe('clean');
    expect(of('done', 254, 'REVOKED', 'jit')).toBe('failed');
  });

  it('is told by what stopped it', () => {
    expect(outcomeOf({ status: 'done', exit_code: 254, guardrails_info: HIT, review: null })).toBe('blocked');
  });
});
