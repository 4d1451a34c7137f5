import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { ChangeFeed } from '../../src/platform/database/feed/change-feed';
import { CancelBroadcast } from '../../src/proxies/postgres/cancel-broadcast';
import { CancelKeys } from '../../src/proxies/postgres/cancel-keys';
import { describeGateway } from '../support/describe';
import { eventually } from '../support/eventually';
import { keepFeedDown } from '../support/feed';
import { type TestGateway, startGateway } from '../support/gateway';

const ADDRESS = '192.0.2.1';

/** Tests that a CancelRequest may arrive at any gateway, although only one gateway runs the session. */
describeGateway('cancel keys of two gateways on one database', ({ gateway, begin }) => {
  const other = begin(() => startGateway({ beside: gateway }));
  let here: CancelKeys;
  let there: CancelKeys;
  let listener: Client;
  let heard: string[] = [];

  beforeAll(async () => {
    [here, there] = [keysOf(gateway), keysOf(other)];
    listener = new Client({ connectionString: gateway.database.url });
    await listener.connect();
    await listener.query('LISTEN gateway_changes');
    listener.on('notification', ({ payload = '' }) => payload.startsWith('cancels:') && heard.push(payload));
  });

  beforeEach(() => {
    heard = [];
  });

  afterAll(async () => {
    await listener.end();
  });

  function keysOf({ app }: TestGateway): CancelKeys {
    const feed = app.get(ChangeFeed);
    return new CancelKeys(feed, new CancelBroadcast(feed, app.get(DataSource)));
  }

  let processes = 4_710;

  /** A session that can be cancelled, and the number of cancels that reached it. */
  function session(keys: CancelKeys, protocolMinor: 0 | 2 = 2, processId = (processes += 1)) {
    let cancels = 0;
    return { ...keys.issue(processId, protocolMinor, () => (cancels += 1)), cancels: () => cancels };
  }

  let barriers = 0;

  /**
   * Waits until both gateways and the listener of this test have received all earlier notifications. This
   * works because notifications arrive in the order of their commits.
   */
  async function allIsHeard(): Promise<void> {
    for (const keys of [here, there]) {
      const last = session(keys);
      await (keys === here ? there : here).request(last.processId, last.key, '192.0.2.99');
      await eventually('the last one is heard', async () => last.cancels() === 1);
    }
    const barrier = `cancels::${(barriers += 1)}`;
    await gateway.database.query(`SELECT pg_notify('gateway_changes', $1)`, [barrier]);
    await eventually('the listener has heard all', async () => heard.includes(barrier));
  }

  it.each([0, 2] as const)('a cancel for the other gateway arrives, protocol 3.%i', async (minor) => {
    const [running, idle] = [session(there, minor), session(there, minor)];
    await here.request(running.processId, running.key, ADDRESS);
    await eventually('it was cancelled', async () => running.cancels() === 1);
    await allIsHeard();
    expect([running.cancels(), idle.cancels()]).toEqual([1, 0]);
  });

  it.each([0, 2] as const)(
    'sessions of two gateways whose targets have the same process id are told apart, protocol 3.%i',
    async (minor) => {
      const [own, others, third] = [here, there, there].map((keys) => session(keys, minor, 815));
      await here.request(815, others!.key, ADDRESS);
      await there.request(815, own!.key, ADDRESS);
      await eventually('both were cancelled', async () => own!.cancels() + others!.cancels() === 2);
      await allIsHeard();
      expect([own, others, third].map((one) => one!.cancels())).toEqual([1, 1, 0]);
    },
  );

  it('a cancel for this gateway is not passed to others', async () => {
    const running = session(here);
    await here.request(running.processId, running.key, ADDRESS);
    expect(running.cancels()).toBe(1);
    await allIsHeard();
    expect(heard.filter((payload) => payload.startsWith(`cancels:${running.processId}:`))).toEqual([]);
  });

  it('a forged cancel, or one for a session that is over, does nothing, and no key shows on the wire', async () => {
    const [running, over] = [session(there), session(there)];
    over.release();
    await here.request(running.processId, randomBytes(32), ADDRESS);
    await here.request(over.processId, over.key, ADDRESS);
    await allIsHeard();
    expect([running.cancels(), over.cancels()]).toEqual([0, 0]);
    expect(heard).toContainEqual(
      expect.stringMatching(new RegExp(`^cancels:${over.processId}:[0-9a-f]{64}$`)),
    );
    expect(heard.join()).not.toContain(over.key.toString('hex'));
  });

  it('forged notifications do no harm', async () => {
    const running = session(there);
    for (const said of [
      'cancels',
      'cancels:',
      'cancels::',
      `cancels:${running.processId}:`,
      `cancels:${'9'.repeat(400)}`,
    ]) {
      await gateway.database.query(`SELECT pg_notify('gateway_changes', $1)`, [said]);
    }
    await allIsHeard();
    expect(running.cancels()).toBe(0);
  });

  it('a flood of forged cancels is limited, and real ones still arrive', async () => {
    const running = session(there);
    const forged = Array.from({ length: 2_000 }, () =>
      here.request(running.processId, randomBytes(4), '192.0.2.66'),
    );
    await Promise.all(forged);
    await here.request(running.processId, running.key, ADDRESS);
    await eventually('the honest one is heard', async () => running.cancels() === 1);
    await allIsHeard();
    expect(heard.filter((payload) => payload.startsWith(`cancels:${running.processId}:`))).toHaveLength(101);
  });

  it('without change feed, only sessions of this gateway can be canceled', async () => {
    const [own, others] = [session(here), session(there)];
    const bringBack = await keepFeedDown(gateway);
    await here.request(own.processId, own.key, ADDRESS);
    await here.request(others.processId, others.key, ADDRESS);
    expect(own.cancels()).toBe(1);
    await bringBack();
    await eventually('both feeds are back', async () =>
      [gateway, other].every(({ app }) => app.get(ChangeFeed).live),
    );
    await allIsHeard();
    expect(others.cancels()).toBe(0);
    await here.request(others.processId, others.key, ADDRESS);
    await eventually('it is cancelled now', async () => others.cancels() === 1);
  });
});
