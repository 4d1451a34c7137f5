import type { Piscina } from 'piscina';
import { AnalysisPool, AnalysisTimeout, LIMITS } from '../../src/guardrails/analysis-pool';

/** The threads of the engine, as they were built: what takes too long, what waits, what dies. */
describe('the analysis threads', () => {
  class PoolWith extends AnalysisPool {
    constructor(protected override readonly limits: typeof LIMITS) {
      super();
    }

    /** From now on whatever a slow machine takes is all right. */
    relent(): void {
      Object.assign(this.limits, LIMITS);
    }
  }
  const pools: PoolWith[] = [];

  const poolWith = (limits: Partial<typeof LIMITS>): PoolWith => {
    const pool = new PoolWith({ ...LIMITS, lookEvery: 10, ...limits });
    pools.push(pool);
    return pool;
  };
  const threadsOf = (of: AnalysisPool) => (of as unknown as { pool: Piscina }).pool.threads;

  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.onApplicationShutdown()));
  });

  const condition = {
    kinds: ['drop' as const],
    withoutWhere: false,
    tables: [],
    functions: [],
    refusesUnparseable: true,
  };
  const task = (text: string) => ({
    kind: 'statements' as const,
    language: 'postgresql',
    text,
    tests: [{ kind: 'statement' as const, type: 'sql_statement', condition }],
  });
  const statements = (count: number): string =>
    Array.from({ length: count }, (_, i) => `SELECT ${i} WHERE false;`).join('');
  /** Takes most of a second. */
  const long = statements(40_000);

  it('answer as the engine would by itself', async () => {
    expect(await poolWith({}).run(task('SELECT 1; DROP TABLE x'))).toEqual([
      [{ start: 10, end: 22, text: 'drop' }],
    ]);
    expect(await poolWith({}).run(task('SELECT 1'))).toEqual([[]]);
  });

  it('end slow searches, and continue with the next', async () => {
    const impatient = poolWith({ task: 300 });
    await expect(impatient.run(task(long))).rejects.toThrow(AnalysisTimeout);
    impatient.relent();
    expect(await impatient.run(task('DROP TABLE x'))).toHaveLength(1);
  });

  it('do not count the wait for a thread as search time', async () => {
    const text = statements(10_000);
    const alone = poolWith({});
    // The first waits for the start of its thread.
    await alone.run(task(text));
    let startedAt = performance.now();
    await alone.run(task(text));
    // As long as eight take on this machine, as it is now.
    const limit = 8 * (performance.now() - startedAt);
    await alone.onApplicationShutdown();
    const busy = poolWith({ task: limit, silence: limit + 5_000 });
    await Promise.all([busy.run(task('SELECT 1')), busy.run(task('SELECT 1'))]);
    // So many that the last waits longer than any may take.
    for (let count = 20; ; count *= 2) {
      startedAt = performance.now();
      const answers = await Promise.all(Array.from({ length: count }, () => busy.run(task(text))));
      expect(answers).toEqual(Array.from({ length: count }, () => [[]]));
      if (performance.now() - startedAt > 1.5 * limit) break;
    }
  });

  it('refuse only what waited too long for a thread', async () => {
    const crowded = poolWith({ turn: 300 });
    // A thread that is only starting would let all of them wait too long.
    while ((await Promise.allSettled([crowded.run(task('SELECT 1'))]))[0]?.status !== 'fulfilled');
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => crowded.run(task(long))));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(12);
    for (const { reason } of refused) {
      expect(reason).not.toBeInstanceOf(AnalysisTimeout);
      expect(String(reason)).toMatch(/too many texts wait to be judged/);
    }
    crowded.relent();
    expect(await crowded.run(task('DROP TABLE x'))).toHaveLength(1);
  });

  it('report a thread that died, and replace it', async () => {
    const dying = poolWith({});
    await dying.run(task('SELECT 1'));
    const answer = dying.run(task(long));
    // It is warm and at work by now, for most of a second.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.all(threadsOf(dying).map((thread) => thread.terminate()));
    await expect(answer).rejects.toThrow(/exited/);
    expect(await dying.run(task('DROP TABLE x'))).toHaveLength(1);
  });

  it('do not mistake a thread that died early for a slow text', async () => {
    const dying = poolWith({ silence: 500 });
    const answer = dying.run(task('DROP TABLE x'));
    const outcome = answer.then(
      () => 'answered',
      (error: unknown) => error,
    );
    await Promise.all(threadsOf(dying).map((thread) => thread.terminate()));
    expect(await outcome).not.toBeInstanceOf(AnalysisTimeout);
    expect(String(await outcome)).toMatch(/no thread began|exited/);
    dying.relent();
    expect(await dying.run(task('DROP TABLE x'))).toHaveLength(1);
  });
});
