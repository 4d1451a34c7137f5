import type { JudgedFor } from '../../src/gate/ports/guardrails';
import type { AnalysisTask } from '../../src/guardrails/analysis/analysis';
import { AnalysisPool, LIMITS } from '../../src/guardrails/analysis/analysis-pool';
import { describeGuardedPath } from '../support/describe';
import { eventually } from '../support/eventually';
import type { Answer, Person } from '../support/gateway';
import { createRule, denyPattern } from '../support/guardrails';
import { volume } from '../support/volume';
import { query } from '../support/wire-messages';

const COUNT = 10;
/** Length of a large text in UTF-16 code units. */
const LARGE = volume(90_000, 900_000);
/** A text too long for the event loop and for the cache of verdicts. A thread judges it in some 10 ms. */
const SMALL = 'SELECT 1 WHERE false;'.repeat(2_000);

const input = {
  rules: [
    { type: 'sql_statement', words: [], pattern_regex: '', kinds: ['drop'], without_where: true },
    ...denyPattern('never said').rules,
  ],
};

interface NotedPool {
  readonly jobs: ReadonlySet<unknown>;
  run(task: AnalysisTask, owner: JudgedFor): Promise<unknown>;
  give(job: { readonly owner: JudgedFor }): Promise<void>;
}

/** One user sends many large texts; another user sends a short text. */
describeGuardedPath('users who share the judging threads', {}, ({ path }) => {
  const pool = (): NotedPool => path.gateway.app.get(AnalysisPool);
  /** Events of all texts in a test, in order: a text waits, or is given to an analysis thread. */
  const events: { readonly userId: string; readonly now: 'waits' | 'is given to a thread' }[] = [];

  beforeAll(async () => {
    noteTurns();
    await createRule(path.gateway, { name: 'shared', connection_ids: [path.connectionId], input });
    // Starts the threads and signs up the users.
    await Promise.all([check('admin', SMALL), check('alice', SMALL)]);
  });

  beforeEach(() => events.splice(0));

  /** Records events in the pool, because answers may overtake each other on their way to a client. */
  function noteTurns(): void {
    const noted = pool();
    const [run, give] = [noted.run.bind(noted), noted.give.bind(noted)];
    jest.spyOn(noted, 'run').mockImplementation((task, owner) => {
      events.push({ userId: owner.userId, now: 'waits' });
      return run(task, owner);
    });
    jest.spyOn(noted, 'give').mockImplementation((job) => {
      events.push({ userId: job.owner.userId, now: 'is given to a thread' });
      return give(job);
    });
  }

  /**
   * Returns, for each text of the second user, the number of the first user's texts that went to threads
   * while the text waited.
   */
  function givenBefore(): number[] {
    const first = events[0]?.userId;
    const waiting: { before: number }[] = [];
    const given: number[] = [];
    for (const { userId, now } of events) {
      if (userId === first && now === 'waits') continue;
      if (userId === first) for (const text of waiting) text.before += 1;
      else if (now === 'waits') waiting.push({ before: 0 });
      else given.push(waiting.shift()?.before ?? Infinity);
    }
    return given;
  }

  const check = (person: Person, script: string): Promise<Answer> =>
    path.gateway.call(person, 'POST', '/connections/orders/script-check', { script });

  /** Makes texts by number. Each has another length, so that no verdict comes from the cache. */
  const LARGE_TEXTS = {
    'statements that are refused': (n: number) => "do'';".repeat(LARGE / 5 - n),
    'no statement': (n: number) => 'a,'.repeat(LARGE / 2 - n),
    ligatures: (n: number) => `select '${'ﷺ'.repeat(LARGE / 3 - n)}'`,
  };

  /** Returns a text that is long enough for a thread and judged so slowly that other texts must wait. */
  const long = (n: number): string => "do'';".repeat(24_000 - n);

  // promises: GUARDRAIL-24
  it.each(Object.entries(LARGE_TEXTS))('take turns: %s', async (_, make) => {
    const heavy = Array.from({ length: COUNT }, (_each, n) => check('admin', make(n)));
    await eventually('some texts wait', async () => pool().jobs.size >= 3);
    const answers = await Promise.all([check('alice', SMALL), ...heavy]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const before = givenBefore();
    expect(before).toEqual(before.map(() => 0));
    expect(before.length).toBeGreaterThan(0);
  });

  // promises: GUARDRAIL-24
  it('take turns on the wire', async () => {
    const clients = await Promise.all(Array.from({ length: COUNT }, () => path.signIn('orders', 'admin')));
    const mine = await path.signIn('orders', 'alice');
    const heavy = clients.map((client, n) => client.ask(query(long(COUNT + n))));
    await eventually('some texts wait', async () => pool().jobs.size >= 3);
    await mine.ask(query(SMALL));
    await Promise.all(heavy);
    const before = givenBefore();
    expect(before).toEqual(before.map(() => 0));
    expect(before.length).toBeGreaterThan(0);
  });

  // promises: GUARDRAIL-24
  it('are refused in words beyond a limit of their own, and nobody else is', async () => {
    const wire = await path.signIn('orders', 'admin');
    const { waiting } = LIMITS;
    const before = { ...waiting };
    Object.assign(waiting, { user: 3, connection: 3 });
    try {
      const heavy = Array.from({ length: COUNT }, (_each, n) => check('admin', long(2 * COUNT + n)));
      await eventually('some texts wait', async () => pool().jobs.size >= 5);
      const onWire = await wire.ask(query(long(5 * COUNT)));
      const light = await check('alice', `${SMALL};`);
      const answers = await Promise.all(heavy);
      expect(light.status).toBe(200);
      // 53000 is `insufficient_resources`. The session continues.
      expect(onWire.join()).toMatch(/53000.*You already have too many texts that wait to be judged/);
      expect(onWire.at(-1)).toBe('Z I');
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => status === 200).length + refused.length).toBe(COUNT);
      for (const { headers, body } of refused) {
        expect(headers.get('retry-after')).toBe('5');
        expect(body.message).toMatch(/too many texts that wait to be judged/);
      }
    } finally {
      Object.assign(waiting, before);
    }
  });

  // promises: GUARDRAIL-25
  it('leave no work behind when they go', async () => {
    const token = await path.gateway.token('admin');
    const gone = new AbortController();
    const requests = Array.from({ length: COUNT }, (_each, n) =>
      fetch(`${path.gateway.api}/connections/orders/script-check`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ script: long(3 * COUNT + n) }),
        signal: gone.signal,
      }),
    );
    await eventually('all wait', async () => pool().jobs.size >= 5);
    gone.abort();
    await Promise.allSettled(requests);
    await eventually('only what runs is left', async () => pool().jobs.size <= LIMITS.threads);
    const client = await path.signIn('orders', 'alice');
    const waiting = client.ask(query(long(4 * COUNT))).catch(() => undefined);
    await eventually('its text is judged', async () => pool().jobs.size >= 1);
    client.close();
    await waiting;
    await eventually('nothing is left', async () => pool().jobs.size === 0);
  });
});
