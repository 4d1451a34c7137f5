import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deactivating a person ends their sign-ins at the portal. Otherwise a cookie that was not used meanwhile would be valid again when the person is activated. */
export class EndedPortalSessions1766990000000 implements MigrationInterface {
  name = 'EndedPortalSessions1766990000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      DELETE FROM portal_sessions USING users
        WHERE (users.org_id, users.id) = (portal_sessions.org_id, portal_sessions.user_id) AND users.status = 'inactive';
      CREATE FUNCTION end_portal_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM portal_sessions WHERE org_id = NEW.org_id AND user_id = NEW.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER users_end_portal_sessions AFTER UPDATE OF status ON users
        FOR EACH ROW WHEN (NEW.status = 'inactive') EXECUTE FUNCTION end_portal_sessions();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER users_end_portal_sessions ON users;
      DROP FUNCTION end_portal_sessions();
    `);
  }
}
