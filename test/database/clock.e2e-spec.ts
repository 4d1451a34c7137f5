import { v7 as uuid7 } from 'uuid';
import { DatabaseSettings } from '../../src/platform/config/groups';
import { ChangeFeed } from '../../src/platform/database/feed/change-feed';
import { describeDataPath } from '../support/describe';
import { approve, approvedConnection, hoursFromNow } from '../support/approved-access';
import { issue } from '../support/credentials';
import { eventually } from '../support/eventually';
import { Visitor } from '../support/visitor';

const HOUR = 3_600_000;

/** A gateway ends access by the database's clock, even if its own clock is wrong. */
describeDataPath('the clock of the database', ({ path }) => {
  afterEach(() => jest.restoreAllMocks());

  it.each([-HOUR, HOUR])(
    'is known to a gateway whose own is %d ms off, also once that is set right',
    async (off) => {
      const real = Date.now.bind(Date);
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() + off);
      const feed = new ChangeFeed(path.gateway.app.get(DatabaseSettings));
      await feed.onModuleInit();
      try {
        expect(Math.abs(feed.databaseNow() - real())).toBeLessThan(5_000);
        clock.mockRestore();
        await eventually('it looks again', async () => Math.abs(feed.databaseNow() - Date.now()) < 5_000);
      } finally {
        await feed.onApplicationShutdown();
      }
    },
  );

  it.each([-HOUR, 0, HOUR])(
    'is what the id of a session tells, where it is %d ms off, and also after the own clock was far ahead',
    async (off) => {
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 24 * HOUR);
      uuid7();
      clock.mockRestore();
      jest.spyOn(path.gateway.app.get(ChangeFeed), 'databaseNow').mockImplementation(() => Date.now() + off);
      const { session_id: id } = (await path.run('SELECT 1')).body as { session_id: string };
      const toldMs = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
      expect(Math.abs(toldMs - (Date.now() + off))).toBeLessThan(60_000);
    },
  );

  it('ends a client at the end of the hours that were approved', async () => {
    const { gateway } = path;
    const connection = await approvedConnection(path);
    const time_window = hoursFromNow(-30, 30);
    const [hours = 0, minutes = 0] = time_window.configuration.end_time.split(':').map(Number);
    const endsAt = new Date(Date.now() + HOUR / 2).setUTCHours(hours, minutes, 0, 0);
    const { body: asked } = await issue(gateway, 'alice', {}, connection);
    await approve(gateway, asked.review_id, { time_window });
    const { username: user, password } = (await issue(gateway, 'alice', {}, connection)).body
      .connection_credentials;
    const stays = await Visitor.enter(path, { user, password, connection });
    expect((await stays.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await stays.leave();
    // The two clocks differ. For the gateway it does not matter which of them is wrong.
    const aheadMs = endsAt - Date.now() - 3_000;
    jest.spyOn(gateway.app.get(ChangeFeed), 'databaseNow').mockImplementation(() => Date.now() + aheadMs);
    const cut = await Visitor.enter(path, { user, password, connection });
    expect(await cut.lastWords()).toBe('FATAL 57P01: The access ended.');
  });
});
