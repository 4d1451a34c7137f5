import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { stillClock } from '../../../test/support/still-clock';
import type { ChangeFeed } from '../../platform/database/feed/change-feed';
import { CancelBroadcast } from './cancel-broadcast';

/** A database that answers when the test calls `answer`. */
function setUp(feed = { live: true }) {
  const statements: { payloads: string[]; answer(error?: Error): void }[] = [];
  const query = (_: string, [, payloads]: [string, string[]]): Promise<void> =>
    new Promise((resolve, reject) => {
      statements.push({ payloads, answer: (error) => (error === undefined ? resolve() : reject(error)) });
    });
  const database = { query } as unknown as DataSource;
  const broadcast = new CancelBroadcast(feed as ChangeFeed, database);
  return { broadcast, statements, settled: () => new Promise((resolve) => setImmediate(resolve)) };
}

const address = (index: number): string => `2001:db8::${index.toString(16)}`;

describe('CancelBroadcast', () => {
  afterEach(() => jest.restoreAllMocks());

  it('has one statement under way at a time, and takes all that wait with the next', async () => {
    const { broadcast, statements, settled } = setUp();
    const told = Array.from({ length: 50 }, (_, index) =>
      broadcast.sendCancel(`cancel ${index}`, address(index)),
    );
    await settled();
    const late = Promise.race([broadcast.sendCancel('late', address(99)), settled().then(() => 'waits')]);
    expect(await late).toBe('waits');
    expect(statements).toHaveLength(1);
    statements[0]?.answer();
    await settled();
    expect(statements).toHaveLength(2);
    statements[1]?.answer();
    await Promise.all(told);
    const sent = statements.flatMap(({ payloads }) => payloads);
    expect(sent).toEqual([...told.keys()].map((index) => `cancel ${index}`).concat('late'));
  });

  it('passes on only so many from one address, and goes on for others', async () => {
    const clock = stillClock();
    const { broadcast, statements, settled } = setUp();
    for (let count = 0; count < 5_000; count++) void broadcast.sendCancel('forged', address(1));
    void broadcast.sendCancel('meant', address(2));
    await settled();
    statements[0]?.answer();
    await settled();
    const sent = statements.flatMap(({ payloads }) => payloads);
    expect(sent.filter((payload) => payload === 'forged')).toHaveLength(100);
    expect(sent).toContain('meant');
    clock.resume();
  });

  it('passes on only so many from all addresses together', async () => {
    const clock = stillClock();
    const { broadcast, statements, settled } = setUp();
    for (let count = 0; count < 5_000; count++) void broadcast.sendCancel('forged', address(count));
    await settled();
    statements[0]?.answer();
    await settled();
    expect(statements.flatMap(({ payloads }) => payloads)).toHaveLength(500);
    expect(statements.length).toBeLessThanOrEqual(2);
    clock.resume();
  });

  it('does nothing while the feed is down', async () => {
    const feed = { live: false };
    const { broadcast, statements, settled } = setUp(feed);
    await broadcast.sendCancel('unheard', address(1));
    expect(statements).toEqual([]);
    feed.live = true;
    void broadcast.sendCancel('heard', address(1));
    await settled();
    expect(statements.map(({ payloads }) => payloads)).toEqual([['heard']]);
  });

  it('outlives a database that refuses, logs it without the payload, and goes on', async () => {
    const { broadcast, statements, settled } = setUp();
    const log = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const lost = broadcast.sendCancel('lost', address(1));
    await settled();
    statements[0]?.answer(new Error('connection terminated'));
    expect(await lost).toBeUndefined();
    expect(log.mock.calls).toEqual([['1 cancels could not be passed on: connection terminated']]);
    void broadcast.sendCancel('kept', address(1));
    await settled();
    expect(statements[1]?.payloads).toEqual(['kept']);
  });
});
