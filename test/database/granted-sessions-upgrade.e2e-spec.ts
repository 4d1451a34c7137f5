import { migrate } from '../../src/platform/database/schema/migrate';
import { GrantedSessions1765300000000 } from '../../src/platform/database/migrations/1765300000000-granted-sessions';
import { type TestDatabase, freshDatabase } from '../support/database';
import { sampleSessions, storeSessions } from '../support/listed-sessions';
import { undoDownTo } from '../support/undo-migrations';

/** Sessions that were stored before the list of sessions showed grants (access approved for a while). */
describe('the migration to granted sessions', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase();
  });

  afterAll(() => database.drop());

  const listed = () =>
    Promise.all([
      database.query('SELECT * FROM granted_sessions ORDER BY session_id'),
      database.query('SELECT * FROM granted_session_groups ORDER BY session_id, review_group_id'),
    ]);

  it('lists those from before as it lists those that come', async () => {
    const [org] = await database.query<{ id: string }>('SELECT id FROM organizations');
    const sessions = sampleSessions(240);
    await storeSessions(database, org?.id ?? '', sessions);
    const before = await listed();
    const granted = sessions.filter(({ review }) => typeof review?.grant === 'string');
    expect([granted.length > 10, before[0].length]).toEqual([true, granted.length]);
    await undoDownTo(database, GrantedSessions1765300000000);
    await migrate(database.url);
    expect(await listed()).toEqual(before);
  });
});
