import { join } from 'node:path';
import { freshDatabase } from '../support/database';
import { describeProcesses } from '../support/describe';
import { GatewayProcess } from '../support/gateway-process';
import { buildEarlier, earlierVersion } from '../support/operations/earlier-version';
import { RollingGateways } from '../support/operations/rolling-gateways';

/** Allows ten minutes, because the earlier version is built as well. */
jest.setTimeout(600_000);

/** Minimum number of answers that each kind of load must get in each stage of the upgrade. */
const ENOUGH = 4;
const earlier = earlierVersion();

if (typeof earlier === 'string') it.skip(`upgrades (skipped: ${earlier})`, () => undefined);
else
  describeProcesses(
    `docs/operations/upgrades.md, from "${earlier.subject}"`,
    ({ folder, target, production, begin }) => {
      const database = begin(
        () => freshDatabase('empty'),
        (it) => it.drop(),
      );
      const gateways = begin(() =>
        RollingGateways.prepare({ folder, target, production, databaseUrl: database.url }),
      );
      const before = (): string => join(folder.path, 'before');

      beforeAll(() => buildEarlier(earlier, before()));

      const migrations = async (): Promise<string[]> =>
        (await database.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY id')).map(
          ({ name }) => name,
        );

      // promises: UPGRADE-1, UPGRADE-2
      it('fails no request on the way to the new version, back, and to the new version again', async () => {
        const old = [await gateways.start({}, before()), await gateways.start({}, before())];
        const load = await gateways.load();
        await load.goesOn(ENOUGH);
        const schema = await migrations();

        // The first new gateway migrates the schema while the old gateways work.
        const first = await gateways.start();
        await load.goesOn(ENOUGH);
        expect((await migrations()).slice(0, schema.length)).toEqual(schema);
        if (process.env['UPGRADE_FROM'] === undefined)
          expect((await migrations()).length).toBeGreaterThan(schema.length);
        const second = await gateways.start();
        await gateways.stop(...old);
        await load.goesOn(ENOUGH);

        const refused = await GatewayProcess.spawn(
          { ...production.variables, DATABASE_URL: database.url },
          undefined,
          before(),
        );
        expect([(await refused.exited).code, refused.stderr]).toEqual([
          1,
          expect.stringContaining('ALLOW_NEWER_SCHEMA=true'),
        ]);
        const back = await gateways.replace([first, second], { ALLOW_NEWER_SCHEMA: 'true' }, before());
        await load.goesOn(ENOUGH);

        await gateways.replace(back);
        await load.goesOn(ENOUGH);
        await load.stop();
        expect(load.failures).toEqual([]);
        expect(Math.min(...Object.values(load.counts))).toBeGreaterThanOrEqual(5 * ENOUGH);
        console.info('answered, and none failed:', load.counts);

        // Some sessions are unfinished, because the session of an MCP client ends only when it was unused for
        // a while.
        const { unfinished: _, ...over } = await gateways.verified();
        expect(Object.keys(over)).toEqual(['valid']);
      });
    },
  );
