import type { ChangeFeed, ChangeListener } from '../../platform/database/feed/change-feed';
import type { AheadOfScript, OpenTarget, ScriptRunner } from '../../targets/contract/script-runner';
import { DialledAhead } from './dialled-ahead';

const SECRET = { HOST: 'one', PASS: 'secret' };
const CONNECTION = { id: 'orders' };

class FakeTarget implements OpenTarget {
  isOpen = true;
  isClosedByUs = false;

  close(): void {
    this.isOpen = false;
    this.isClosedByUs = true;
  }
}

function world({ ahead = 4, all = 20, room = 50, workers = 1 } = {}) {
  const dialled: { readonly target: FakeTarget; readonly secret: object }[] = [];
  const used = new Set<OpenTarget>();
  let refuses = false;
  let listener: ChangeListener | undefined;
  const feed = { live: true, subscribe: (given: ChangeListener) => (listener = given) };
  const runner: Pick<ScriptRunner, 'dial'> = {
    dial: (secret) => {
      if (refuses) return Promise.reject(new Error('too many clients'));
      const target = new FakeTarget();
      dialled.push({ target, secret });
      return Promise.resolve(target);
    },
  };
  const settings = { dialAhead: ahead, perConnection: all };
  const service = new DialledAhead(settings as never, feed as unknown as ChangeFeed, { workers } as never);
  /** Runs a script. Returns the connection that was dialed ahead for it, if any. */
  const script = (secret = SECRET, during?: () => Promise<void>): Promise<OpenTarget | undefined> =>
    service.during(CONNECTION, secret, runner as ScriptRunner, async (given: AheadOfScript | undefined) => {
      if (given?.ready !== undefined) used.add(given.ready);
      given?.noteRoom?.(room);
      // Gives the service time to dial a connection for the next script.
      await jest.advanceTimersByTimeAsync(1);
      await during?.();
      return given?.ready;
    });
  /** Number of open connections that no script has used. */
  const open = () => dialled.filter(({ target }) => target.isOpen && !used.has(target)).length;
  const changed = (table: string, id = ''): void => listener?.changed(table, id);
  return {
    service,
    feed,
    script,
    dialled,
    open,
    changed,
    reset: () => listener?.reset(),
    refuse: () => (refuses = true),
  };
}

/**
 * Runs three scripts one after another. Then the target counts as busy and has reported free connections, so
 * one connection is dialed ahead.
 */
async function busy(given: ReturnType<typeof world>): Promise<void> {
  for (let n = 0; n < 3; n++) await given.script();
  expect(given.open()).toBe(1);
}

describe('connections that are dialled ahead', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are ready for the scripts of a busy target, and each is used once', async () => {
    const given = world();
    await busy(given);
    const used = [await given.script(), await given.script(), await given.script()];
    expect(new Set(used).size).toBe(3);
    expect(used).not.toContain(undefined);
  });

  it('are not dialled for scripts that come every other second', async () => {
    const given = world();
    for (let n = 0; n < 5; n++) {
      await given.script();
      await jest.advanceTimersByTimeAsync(1_500);
    }
    expect(given.dialled).toEqual([]);
  });

  it('are closed when no script used them for two seconds', async () => {
    const given = world();
    await busy(given);
    await jest.advanceTimersByTimeAsync(2_100);
    expect(given.open()).toBe(0);
    expect(await given.script()).toBeUndefined();
  });

  it.each([
    [{ ahead: 3 }, 3],
    [{ ahead: 4, all: 6 }, 1],
    [{ ahead: 0 }, 0],
    [{ room: 9 }, 0],
    [{ room: 29, workers: 3 }, 0],
    [{ room: 30, workers: 3 }, 4],
  ])('are no more than the limits say: %j', async (limits, most) => {
    const given = world(limits);
    for (let n = 0; n < 3; n++) await given.script();
    const five = Array.from({ length: 5 }, () =>
      given.script(SECRET, async () => {
        await jest.advanceTimersByTimeAsync(100);
        expect(given.open()).toBe(most);
      }),
    );
    await Promise.all(five);
    expect(given.open()).toBe(most);
    if (most === 0) expect(given.dialled).toEqual([]);
  });

  it('are left out for a minute after the target refused one, and those that are open are closed', async () => {
    const given = world();
    await busy(given);
    given.refuse();
    await given.script();
    expect(given.open()).toBe(0);
    const before = given.dialled.length;
    for (let n = 0; n < 5; n++) expect(await given.script()).toBeUndefined();
    expect(given.dialled).toHaveLength(before);
  });

  it('are not used once the target closed them', async () => {
    const given = world();
    await busy(given);
    for (const { target } of given.dialled) target.isOpen = false;
    expect(await given.script()).toBeUndefined();
  });

  it('are not used with another secret', async () => {
    const given = world();
    await busy(given);
    const other = { ...SECRET, PASS: 'changed' };
    expect(await given.script(other)).toBeUndefined();
    expect(given.open()).toBe(0);
  });

  it.each([
    ['their connection', 'connections', CONNECTION.id, 0],
    ['some connections', 'connections', '', 0],
    ['another connection', 'connections', 'another', 1],
    ['a guardrail', 'guardrail_rules', 'x', 0],
    ['a binding', 'guardrail_connections', 'x', 0],
    ['an access request rule', 'access_request_rules', 'x', 0],
    ['a person', 'users', 'x', 0],
    ['a membership', 'user_groups', 'x', 0],
    ['an API key', 'api_keys', 'x', 0],
    ['an organization', 'organizations', 'x', 0],
    ['something else', 'sessions', 'x', 1],
  ])('are closed when %s changes', async (_what, table, id, left) => {
    const given = world();
    await busy(given);
    given.changed(table, id);
    expect(given.open()).toBe(left);
  });

  it('are closed when the change came while they were dialled', async () => {
    const given = world();
    await busy(given);
    // The script starts to dial ahead, and the connection's row changes before the target answers.
    const running = given.script();
    given.changed('connections', CONNECTION.id);
    expect(await running).toBe(given.dialled[0]?.target);
    expect(given.dialled).toHaveLength(2);
    expect(given.open()).toBe(0);
  });

  it('are closed, and none is dialled or used, while nobody tells of changes', async () => {
    const given = world();
    await busy(given);
    given.feed.live = false;
    given.reset();
    expect(given.open()).toBe(0);
    const before = given.dialled.length;
    for (let n = 0; n < 5; n++) expect(await given.script()).toBeUndefined();
    expect(given.dialled).toHaveLength(before);
  });

  it('are closed when the gateway stops, and none is dialled afterwards', async () => {
    const given = world();
    await busy(given);
    given.service.onModuleDestroy();
    expect(given.open()).toBe(0);
    for (let n = 0; n < 5; n++) expect(await given.script()).toBeUndefined();
    expect(given.open()).toBe(0);
  });
});
