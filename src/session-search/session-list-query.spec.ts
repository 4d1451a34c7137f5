import * as fc from 'fast-check';
import { AppError } from '../kernel/app-error';
import { readSessionListQuery } from './session-list-query';

const NOTHING_ASKED = { limit: 20, offset: 0, count: 'capped', given: {} };

describe('which sessions are to be listed', () => {
  it('has defaults, for what is absent and for what is empty', () => {
    expect(readSessionListQuery({})).toEqual(NOTHING_ASKED);
    expect(
      readSessionListQuery({ limit: '', count: '', user: '', start_date: '', 'review.status': '' }),
    ).toEqual(NOTHING_ASKED);
  });

  it('takes times of any zone, and rules by id in any case', () => {
    const rule = '0B1C5F2E-0000-4000-8000-00000000000A';
    const read = readSessionListQuery({
      start_date: '2026-01-31t22:00:00.1234567-02:00',
      end_date: '2026-02-01T00:00:00z',
      guardrail: rule,
    });
    expect(read.from).toEqual(new Date('2026-02-01T00:00:00.123Z'));
    expect(read.to).toEqual(new Date('2026-02-01T00:00:00Z'));
    expect(read.guardrail).toBe(rule.toLowerCase());
    expect(readSessionListQuery({ guardrail: 'No-Drops' }).guardrail).toBe('No-Drops');
  });

  it('either reads a query or refuses it in plain words, whatever it holds', () => {
    const names = [
      'limit',
      'offset',
      'count',
      'user',
      'verb',
      'status',
      'start_date',
      'end_date',
      'guardrail',
      'review.status',
      'review.approver',
      'batch_id',
      'q',
      'no_such_filter',
    ];
    const value = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('0', '1', '100', '10000', 'exact', 'exec', 'done', 'PENDING', '2026-01-31T08:00:00Z'),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.array(fc.string(), { maxLength: 2 }),
      fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
    );
    let read = 0;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }), (given) => {
        let query;
        try {
          query = readSessionListQuery(given);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          const { code, message } = error as AppError;
          const words =
            code === 'malformed' ? /^unknown query parameter no_such_filter$/ : /^[\w.]+ must (be|have) /;
          expect([['malformed', 'unprocessable'].includes(code), message]).toEqual([
            true,
            expect.stringMatching(words),
          ]);
          return;
        }
        read += 1;
        // They become part of the SQL.
        expect(Number.isInteger(query.limit) && query.limit >= 1 && query.limit <= 100).toBe(true);
        expect(Number.isInteger(query.offset) && query.offset >= 0 && query.offset <= 10_000).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(read).toBeGreaterThan(50);
  });
});
