import { describeDataPath } from '../../support/describe';
import { startGateway } from '../../support/gateway';
import { closedLatch } from '../../support/latch';
import { RawClient, cancelRequest } from '../../support/raw-client';
import { Visitor, proxyPort } from '../../support/visitor';

const CANCELLED = { code: '57014', message: 'canceling statement due to user request' };

/** A cancel has no credentials except the key, and may arrive at any gateway. */
describeDataPath('a cancel request', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));

  const request = async (processId: number, key: Buffer, gateway = path.gateway): Promise<void> => {
    const client = await RawClient.connect(proxyPort(gateway));
    // The only answer is that the connection is closed.
    expect(await client.send(cancelRequest(processId, key)).untilEnd()).toEqual(Buffer.alloc(0));
  };

  /** Starts a query, and marks its rejection as handled, because the caller looks at it only later. */
  const at = (what: string, visitor: Visitor) => {
    const answer = visitor.query(what);
    answer.catch(() => undefined);
    return answer;
  };

  it.each(['its own gateway', 'another gateway'])(
    'by way of %s stops what the session runs, and nothing else',
    async (by) => {
      const [visitor, neighbour] = [await Visitor.enter(path), await Visitor.enter(path)];
      const running = at('SELECT pg_sleep(600)', visitor);
      const latch = await closedLatch(path.target);
      const untouched = at(`SELECT 'slept' AS state, ${latch.wait}`, neighbour);
      await Promise.all([visitor.untilBusy(), neighbour.untilBusy()]);
      const { processId, key } = visitor.cancelKey;
      await request(processId, key, by === 'another gateway' ? other : path.gateway);
      await expect(running).rejects.toMatchObject(CANCELLED);
      await latch.open();
      expect((await untouched).rows).toMatchObject([{ state: 'slept' }]);
      expect((await visitor.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      expect(await visitor.recording()).toContainEqual([
        'e',
        `ERROR: ${CANCELLED.message} (SQLSTATE ${CANCELLED.code})\n`,
      ]);
      await Promise.all([visitor.leave(), neighbour.leave()]);
    },
  );

  it('to a session that runs nothing leaves its next command alone', async () => {
    const visitor = await Visitor.enter(path);
    const { processId, key } = visitor.cancelKey;
    await request(processId, key);
    expect((await visitor.query("SELECT 'slept' AS state FROM pg_sleep(0.5)")).rows).toEqual([
      { state: 'slept' },
    ]);
    await visitor.leave();
    await request(processId, key);
  });

  it('with a wrong key does nothing, nor do thousands; the right one is still heard', async () => {
    const [visitor, bystander] = [await Visitor.enter(path), await Visitor.enter(path)];
    const running = at('SELECT pg_sleep(600)', visitor);
    await visitor.untilBusy();
    const { processId, key } = visitor.cancelKey;
    const forged = (bytes: number) => Buffer.from(key.map((byte) => byte ^ bytes));
    for (let round = 0; round < 10; round += 1) {
      const flood = Array.from({ length: 100 }, (_, index) =>
        request(
          processId + (index % 2),
          forged(1 + ((round * 100 + index) % 255)),
          index % 3 === 0 ? other : path.gateway,
        ),
      );
      await Promise.all(flood);
    }
    expect(await visitor.backends('active')).toHaveLength(1);
    expect((await bystander.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await request(processId, key);
    await expect(running).rejects.toMatchObject(CANCELLED);
    await Promise.all([visitor.leave(), bystander.leave()]);
  });
});
