import { AnalysisPool, LIMITS } from '../../src/guardrails/analysis-pool';
import { describeGuardedPath } from '../support/describe';
import { eventually } from '../support/eventually';
import type { Answer, Person } from '../support/gateway';
import { createRule, denyPattern } from '../support/guardrails';
import { volume } from '../support/volume';
import { query } from '../support/wire-messages';

const COUNT = 10;
/** UTF-16 code units. */
const LARGE = volume(300_000, 900_000);
/** Too long for the event loop, and for the cache of verdicts; judged in some 10 ms. */
const SMALL = 'SELECT 1 WHERE false;'.repeat(2_000);

const input = {
  rules: [
    { type: 'sql_statement', words: [], pattern_regex: '', kinds: ['drop'], without_where: true },
    ...denyPattern('never said').rules,
  ],
};

/** One user sends many of the longest texts that may be sent; another one sends a short text. */
describeGuardedPath('users who share the judging threads', {}, ({ path }) => {
  const pool = (): { jobs: Set<unknown> } => path.gateway.app.get(AnalysisPool);

  beforeAll(async () => {
    await createRule(path.gateway, { name: 'shared', connection_ids: [path.connectionId], input });
    // Threads have started, people have signed up.
    await Promise.all([check('admin', SMALL), check('alice', SMALL)]);
  });

  const check = (person: Person, script: string): Promise<Answer> =>
    path.gateway.call(person, 'POST', '/connections/orders/script-check', { script });

  /** Each of another length, so that no verdict is known. */
  const LARGE_TEXTS = {
    'statements that are refused': (n: number) => "do'';".repeat(LARGE / 5 - n),
    'no statement': (n: number) => 'a,'.repeat(LARGE / 2 - n),
    ligatures: (n: number) => `select '${'ﷺ'.repeat(LARGE / 3 - n)}'`,
  };

  /** Long enough for a thread, and judged in a moment that others can notice. */
  const long = (n: number): string => "do'';".repeat(60_000 - n);

  // promises: GUARDRAIL-24
  it.each(Object.entries(LARGE_TEXTS))('take turns: %s', async (_, make) => {
    const order: string[] = [];
    const noted = async (name: string, answer: Promise<Answer>): Promise<number> => {
      const { status } = await answer;
      order.push(name);
      return status;
    };
    const heavy = Array.from({ length: COUNT }, (_each, n) => noted('heavy', check('admin', make(n))));
    await eventually('some texts wait', async () => pool().jobs.size >= 3 || order.length >= COUNT - 2);
    const light = noted('light', check('alice', SMALL));
    const small = await light;
    const statuses = await Promise.all(heavy);
    expect(small).toBe(200);
    expect(statuses).toEqual(statuses.map(() => 200));
    // Those that ran already, and the few that are judged beside it: text and statements have a turn each.
    expect(order.indexOf('light')).toBeLessThanOrEqual(COUNT / 2);
  });

  // promises: GUARDRAIL-24
  it('take turns on the wire', async () => {
    const clients = await Promise.all(Array.from({ length: COUNT }, () => path.signIn('orders', 'admin')));
    const mine = await path.signIn('orders', 'alice');
    const order: string[] = [];
    const heavy = clients.map(async (client, n) => {
      const messages = await client.ask(query(long(COUNT + n)));
      order.push('heavy');
      return messages;
    });
    await eventually('some texts wait', async () => pool().jobs.size >= 3);
    await mine.ask(query(SMALL));
    order.push('light');
    await Promise.all(heavy);
    expect(order.indexOf('light')).toBeLessThanOrEqual(COUNT / 2);
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
      // insufficient_resources; the session continues.
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
