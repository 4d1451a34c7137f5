import * as fc from '../../../test/support/fast-check';
import { AppError } from '../../kernel/app-error';
import { GatewayValidationPipe } from '../../platform/http/validation.pipe';
import { SessionListQuery, sessionListing } from './session-list-query';

const NOTHING_ASKED = { limit: 20, offset: 0, count: 'capped', given: {} };

const pipe = new GatewayValidationPipe();

/** Validates and reads a query like the query of a request. */
async function read(given: object) {
  const query = await pipe.transform(given, { type: 'query', metatype: SessionListQuery });
  return sessionListing(query as SessionListQuery);
}

describe('which sessions are to be listed', () => {
  it('has defaults for what is absent', async () => {
    expect(await read({})).toEqual(NOTHING_ASKED);
  });

  it('takes times of any zone, and rules by id in any case', async () => {
    const rule = '0B1C5F2E-0000-4000-8000-00000000000A';
    const listing = await read({
      start_date: '2026-01-31t22:00:00.1234567-02:00',
      end_date: '2026-02-01T00:00:00z',
      guardrail: rule,
    });
    expect(listing.from).toEqual(new Date('2026-02-01T00:00:00.123Z'));
    expect(listing.to).toEqual(new Date('2026-02-01T00:00:00Z'));
    expect(listing.guardrail).toBe(rule.toLowerCase());
    expect((await read({ guardrail: 'No-Drops' })).guardrail).toBe('No-Drops');
  });

  it('either reads a query or refuses it in plain words, whatever it holds', async () => {
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
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }), async (given) => {
        let query;
        try {
          query = await read(given);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          const { code, message } = error as AppError;
          expect(['malformed', 'unprocessable']).toContain(code);
          for (const fault of message.split('; '))
            expect(fault).toMatch(/^(unknown field no_such_filter|[\w.]+ must (be|have|not contain) .*)$/);
          return;
        }
        accepted += 1;
        // The limit and the offset become part of the SQL.
        expect(Number.isInteger(query.limit) && query.limit >= 1 && query.limit <= 100).toBe(true);
        expect(Number.isInteger(query.offset) && query.offset >= 0 && query.offset <= 10_000).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(fc.runs(50));
  });
});
