import { archiveReading } from '../../src/sessions/archive/archive-readings';
import { describeScoped } from '../support/describe';
import { freshDatabase } from '../support/database';
import { queryPlan, scansOf } from '../support/query-plan';

const WAITING = 120_000;

describeScoped(
  `what metrics ask of the archive, while ${WAITING} recordings wait and three times as many have moved`,
  (begin) => {
    const database = begin(
      () => freshDatabase(),
      (it) => it.drop(),
    );

    it('is read off indexes, and counted up to 100 000', async () => {
      await database.query(
        `INSERT INTO session_archives (session_id, org_id, state, noted_at, attempts)
       SELECT gen_random_uuid(), gen_random_uuid(), CASE WHEN n % 4 = 0 THEN 'waiting' ELSE 'archived' END,
         now() - n * interval '1 s', n % 8 FROM generate_series(1, ${4 * WAITING}) AS n`,
      );
      await database.query('VACUUM ANALYZE session_archives');
      const scans = scansOf(await queryPlan(database, archiveReading.sql));
      // A bitmap scan is used if VACUUM could not mark every page as all-visible.
      const isByIndex = /^(Index( Only)?|Bitmap Heap) Scan on session_archives$/;
      expect(scans.filter(({ kind }) => !isByIndex.test(kind))).toEqual([]);
      expect(scans.map(({ rows }) => rows).sort((one, other) => one - other)).toEqual([0, 0, 1, 100_000]);
      const [row] = await database.query<Record<'waiting' | 'refused' | 'removing' | 'age', string>>(
        archiveReading.sql,
      );
      expect(row).toMatchObject({ waiting: '100000', refused: '0', removing: '0' });
      // `age` belongs to the oldest recording that was tried. Half of the waiting recordings had four
      // attempts, and half none.
      expect(Number(row?.age)).toBeGreaterThan(4 * WAITING - 5);
    });
  },
);
