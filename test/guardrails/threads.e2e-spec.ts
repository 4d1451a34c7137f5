import type { Piscina } from 'piscina';
import type { JudgedFor } from '../../src/gate/ports/guardrails';
import { AnalysisAbandoned, AnalysisTimeout } from '../../src/guardrails/analysis/analysis-errors';
import { AnalysisPool, LIMITS } from '../../src/guardrails/analysis/analysis-pool';

/** Tests the real threads of the engine with slow tasks, queued tasks and threads that die. */
describe('the analysis threads', () => {
  class PoolWith extends AnalysisPool {
    constructor(protected override readonly limits: typeof LIMITS) {
      super();
    }

    /** Sets the limits back to their defaults, so that a slow machine does not fail a later step. */
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
  /** A text whose analysis takes most of a second, so that a test can end the analysis early. */
  const long = statements(40_000);
  /** A text whose analysis takes longer than the analysis of many short texts. */
  const heavyText = statements(5_000);

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
    const text = heavyText;
    const alone = poolWith({});
    // Runs the first search unmeasured, because it waits until its thread has started.
    await alone.run(task(text));
    let startedAt = performance.now();
    for (let time = 0; time < 3; time += 1) await alone.run(task(text));
    // The limit is the time of ten searches on this machine, computed from three searches.
    const limit = (10 / 3) * (performance.now() - startedAt);
    await alone.onApplicationShutdown();
    const busy = poolWith({ task: limit, silence: limit + 5_000 });
    await Promise.all([busy.run(task('SELECT 1')), busy.run(task('SELECT 1'))]);
    // Doubles the number of searches until the last one waits longer than the limit of a task.
    for (let count = 36; ; count *= 2) {
      startedAt = performance.now();
      const answers = await Promise.all(Array.from({ length: count }, () => busy.run(task(text))));
      expect(answers).toEqual(Array.from({ length: count }, () => [[]]));
      if (performance.now() - startedAt > 1.5 * limit) break;
    }
  });

  it('refuse only what waited too long for a thread', async () => {
    const crowded = poolWith({ turn: 300 });
    const half = statements(20_000);
    // Waits until a thread has started, because otherwise all tasks would wait too long.
    while ((await Promise.allSettled([crowded.run(task('SELECT 1'))]))[0]?.status !== 'fulfilled');
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => crowded.run(task(half))));
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
    // Waits until the thread has started to analyze the text. The analysis takes most of a second.
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

  const owner = (userId: string, more: Partial<JudgedFor> = {}): JudgedFor => ({
    userId,
    connectionId: 'c',
    sessionId: 's',
    ...more,
  });
  /** Starts both threads, so that no test depends on which thread starts first. */
  const warm = async (pool: PoolWith): Promise<PoolWith> => {
    await Promise.all([pool.run(task('SELECT 1')), pool.run(task('SELECT 1'))]);
    return pool;
  };

  it('answer a user while another one has many long texts', async () => {
    const shared = await warm(poolWith({}));
    const order: string[] = [];
    const noted = async (name: string, answer: Promise<unknown>): Promise<void> => {
      await answer;
      order.push(name);
    };
    const heavy = Array.from({ length: 10 }, () =>
      noted('heavy', shared.run(task(heavyText), owner('heavy'))),
    );
    const light = Array.from({ length: 3 }, () =>
      noted('light', shared.run(task('DROP TABLE x'), owner('light'))),
    );
    await Promise.all(light);
    // Two heavy tasks may have been running already, and one more may run beside each of three light tasks.
    expect(order.filter((name) => name === 'heavy').length).toBeLessThanOrEqual(5);
    await Promise.all(heavy);
    expect(order).toHaveLength(13);
  });

  it('refuse what one user sends beyond a limit, and nobody else', async () => {
    const bounded = await warm(poolWith({ waiting: { user: 4, connection: 3, all: 100 } }));
    const running = [0, 1].map(() => bounded.run(task(heavyText), owner('heavy')));
    const one = Array.from({ length: 4 }, () => bounded.run(task('SELECT 1'), owner('heavy')));
    const two = [0, 1].map(() => bounded.run(task('SELECT 1'), owner('heavy', { connectionId: 'd' })));
    const light = bounded.run(task('SELECT 1'), owner('light'));
    const refused = { code: 'too_many_requests', retryAfterSeconds: 5 };
    await expect(one[3]).rejects.toMatchObject(refused);
    await expect(two[1]).rejects.toMatchObject(refused);
    expect(await light).toEqual([[]]);
    await Promise.all([...running, ...one.slice(0, 3), two[0]]);
  });

  it('let the user with the most texts give way when all places are taken', async () => {
    const bounded = await warm(poolWith({ waiting: { user: 100, connection: 100, all: 3 } }));
    const running = [0, 1].map(() => bounded.run(task(heavyText), owner('heavy')));
    const waiting = [0, 1, 2].map(() => bounded.run(task('SELECT 1'), owner('heavy')));
    const light = bounded.run(task('SELECT 1'), owner('light'));
    await expect(waiting[2]).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    expect(await light).toEqual([[]]);
    await Promise.all([...running, waiting[0], waiting[1]]);
  });

  it('drop the work of a client that has gone, whether it waits or runs', async () => {
    const left = await warm(poolWith({ threads: 1, abandoned: 0 }));
    const gone = new AbortController();
    const leaving = owner('leaving', { signals: [new AbortController().signal, gone.signal] });
    const running = left.run(task(long), leaving);
    const waiting = left.run(task(long), leaving);
    const other = left.run(task('DROP TABLE x'), owner('other'));
    const answers = Promise.allSettled([running, waiting]);
    gone.abort();
    for (const answer of await answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(AnalysisAbandoned) });
    await expect(left.run(task('SELECT 1'), leaving)).rejects.toThrow(AnalysisAbandoned);
    expect(await other).toHaveLength(1);
    // The pool has no job left of the client that disconnected.
    expect((left as unknown as { jobs: Set<unknown> }).jobs.size).toBe(0);
  });

  it('refuse what waits when the gateway stops, and end before it has stopped', async () => {
    const stopping = await warm(poolWith({ threads: 1 }));
    const threads = [...threadsOf(stopping)];
    const answers = Promise.allSettled([stopping.run(task(long)), stopping.run(task(long))]);
    await stopping.onApplicationShutdown();
    expect(threads.map(({ threadId }) => threadId)).toEqual(threads.map(() => -1));
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(stopping.run(task('SELECT 1'))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
