import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Guards,
  type Transaction,
  describeInversion,
  describeStep,
  inversionsOf,
  orderOf,
  unguardedOf,
} from '../support/locks/lock-order';
import { scenarios, subscribeToAll } from '../support/locks/lock-scenarios';
import { type LockWatch, watchLocks } from '../support/locks/lock-watch';
import { caseFor } from '../support/operation-cases';
import { type World, startWorld } from '../support/operation-world';
import { operations } from '../support/operations';
import { ROOT } from '../support/root';

/** Operations with their success statuses. Requests that succeed take the most locks. */
const succeeding = operations.flatMap((operation) =>
  operation.statuses
    .filter((status) => status.startsWith('2'))
    .map((status) => ({ name: `${operation.id} ${status}`, operation, status })),
);

/**
 * Guards of each resource. A transaction that changes the resource must hold a lock on one of its guards: the
 * parent row, or a lock that only one gateway holds at a time (src/platform/database/README.md).
 */
const GUARDS: Guards = {
  review_groups: ['reviews'],
  review_votes: ['reviews'],
  granted_sessions: ['reviews', 'sessions'],
  granted_session_groups: ['sessions'],
  session_guardrail_hits: ['sessions'],
  session_texts: ['sessions'],
  session_chunks: ['sessions', 'advisory purge'],
  session_removals: ['advisory purge'],
  session_ledger: ['advisory ledger'],
  session_ledger_queue: ['sessions', 'advisory ledger'],
  user_groups: ['users'],
  guardrail_connections: ['connections'],
  mcp_tools: ['connections'],
  authorization_tokens: ['authorizations'],
  audit_log: ['advisory audit'],
};

/** Position of each resource in the list of src/platform/database/README.md. */
function writtenOrder(): Map<string, number> {
  const readme = readFileSync(join(ROOT, 'src/platform/database/README.md'), 'utf8');
  const list = /<!-- lock-order:begin -->([^]*)<!-- lock-order:end -->/.exec(readme)?.[1] ?? '';
  const lines = list.split('\n').filter((line) => /^\d+\. /.test(line));
  const places = lines.flatMap((line, place) =>
    [...(line.split(':')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, place] as const),
  );
  return new Map(places);
}

describe('the order of locks', () => {
  let world: World;
  let watch: LockWatch;
  let transactions: readonly Transaction[];

  beforeAll(async () => {
    world = await startWorld();
    watch = await watchLocks(world.gateway.database);
    await subscribeToAll(world);
  });

  afterAll(async () => {
    await watch.close();
    await world.close();
  });

  it.each(succeeding)('$name', async ({ name, operation, status }) => {
    await watch.mark(name);
    const bring = caseFor(operation, status);
    if (bring === undefined) throw new Error(`no case for ${name}: test/support/operation-own-cases.ts`);
    expect(String((await bring(world, operation)).status)).toBe(status);
  });

  it.each(scenarios)('$name', async ({ name, play }) => {
    await watch.mark(name);
    await play(world);
  });

  describe('as the log of the database has it', () => {
    beforeAll(async () => {
      transactions = await watch.transactions();
    });

    it('was seen: locks of statements, of foreign keys, of triggers, of callers, and of months', () => {
      const seen = new Set(
        transactions.flatMap(({ locks }) => locks.map(({ resource, mode }) => `${resource} ${mode}`)),
      );
      expect([...seen]).toEqual(
        expect.arrayContaining([
          'reviews no key update',
          'connections key share',
          'connection_credentials share',
          'webhook_deliveries share',
          'row_totals connections no key update',
          'granted_sessions no key update',
          'advisory audit update',
          'advisory asking update',
          'table session_chunks update',
        ]),
      );
      expect(
        transactions.flatMap(({ locks }) => locks.filter(({ key }) => key.startsWith('unknown'))),
      ).toEqual([]);
    });

    it('has no circle', () => {
      expect(inversionsOf(transactions, GUARDS).map(describeInversion)).toEqual([]);
    });

    it('allows changes of guarded rows only with a lock on their guard', () => {
      expect(unguardedOf(transactions, GUARDS)).toEqual([]);
    });

    it('is the one that is written down', () => {
      const places = writtenOrder();
      const steps = [...orderOf(transactions, GUARDS).values()];
      const placeOf = (resource: string): number => places.get(resource) ?? Number.NaN;
      // Skips steps within one resource. A resource that the list lacks has position NaN, which counts as
      // wrong.
      const backwards = steps.filter(
        ({ held, asked }) =>
          held.resource !== asked.resource && !(placeOf(held.resource) <= placeOf(asked.resource)),
      );
      expect(backwards.map(describeStep)).toEqual([]);
    });
  });
});
