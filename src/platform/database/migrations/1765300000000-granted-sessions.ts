import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions that came by leave which people gave are found by the review of it too. There can be many of one review, so
 * each has its own rows, which bear its start: their indexes have the order of the list (as migration SessionList has it
 * for reviews of one session).
 */
export class GrantedSessions1765300000000 implements MigrationInterface {
  name = 'GrantedSessions1765300000000';

  async up(db: QueryRunner): Promise<void> {
    // While gateways of the version before still run: one of them could revoke what is being copied here, before the trigger that
    // follows it is there, and its sessions would be listed as approved for good. Before all else, as revoking locks the review
    // before the sessions.
    await db.query('LOCK TABLE reviews IN SHARE ROW EXCLUSIVE MODE');
    await db.query(`
      CREATE TABLE granted_sessions (
        org_id        uuid        NOT NULL,
        session_id    uuid        NOT NULL,
        session_start timestamptz NOT NULL,
        review_id     uuid        NOT NULL,
        status        text        NOT NULL,
        CONSTRAINT granted_sessions_pk PRIMARY KEY (session_id),
        CONSTRAINT granted_sessions_session_fk FOREIGN KEY (org_id, session_id)
          REFERENCES sessions (org_id, id) ON DELETE CASCADE
      );
      CREATE TABLE granted_session_groups (
        org_id          uuid        NOT NULL,
        session_id      uuid        NOT NULL,
        session_start   timestamptz NOT NULL,
        review_group_id uuid        NOT NULL,
        group_name      text        NOT NULL,
        approver_id     text,
        approver_email  text,
        CONSTRAINT granted_session_groups_pk PRIMARY KEY (session_id, review_group_id),
        CONSTRAINT granted_session_groups_session_fk FOREIGN KEY (org_id, session_id)
          REFERENCES sessions (org_id, id) ON DELETE CASCADE
      );
      INSERT INTO granted_sessions
        SELECT session.org_id, session.id, session.start_date, review.id, review.status
        FROM sessions AS session JOIN reviews AS review ON review.org_id = session.org_id
          AND review.id = session.credential_id AND review.type = 'jit';
      INSERT INTO granted_session_groups
        SELECT session.org_id, session.session_id, session.session_start, said.id, said.group_name, said.approver_id,
          said.approver_email
        FROM granted_sessions AS session JOIN review_groups AS said ON said.org_id = session.org_id
          AND said.review_id = session.review_id;

      CREATE INDEX granted_sessions_list_index ON granted_sessions (org_id, status, session_start, session_id);
      CREATE INDEX granted_sessions_review_index ON granted_sessions (org_id, review_id);
      CREATE INDEX granted_session_groups_list_index ON granted_session_groups
        (org_id, group_name, session_start, session_id);
      CREATE INDEX granted_session_groups_approver_index ON granted_session_groups
        (org_id, approver_id, session_start, session_id) WHERE approver_id IS NOT NULL;
      CREATE INDEX granted_session_groups_approver_email_index ON granted_session_groups
        (org_id, approver_email, session_start, session_id) WHERE approver_email IS NOT NULL;
    `);
    await this.keep(db);
  }

  private async keep(db: QueryRunner): Promise<void> {
    await db.query(`
      -- Nobody says anything more of a review that was approved, and before that nobody gets in: the groups stay as they are.
      CREATE FUNCTION list_granted_session() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO granted_sessions (org_id, session_id, session_start, review_id, status)
          SELECT NEW.org_id, NEW.id, NEW.start_date, id, status FROM reviews
          WHERE org_id = NEW.org_id AND id = NEW.credential_id AND type = 'jit';
        IF FOUND THEN
          INSERT INTO granted_session_groups
              (org_id, session_id, session_start, review_group_id, group_name, approver_id, approver_email)
            SELECT NEW.org_id, NEW.id, NEW.start_date, id, group_name, approver_id, approver_email FROM review_groups
            WHERE org_id = NEW.org_id AND review_id = NEW.credential_id;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER sessions_granted_insert AFTER INSERT ON sessions
        FOR EACH ROW WHEN (NEW.credential_id IS NOT NULL) EXECUTE FUNCTION list_granted_session();

      CREATE FUNCTION move_granted_session() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE granted_sessions SET session_start = NEW.start_date WHERE session_id = NEW.id;
        UPDATE granted_session_groups SET session_start = NEW.start_date WHERE session_id = NEW.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER sessions_granted_moved AFTER UPDATE OF start_date ON sessions
        FOR EACH ROW WHEN (NEW.credential_id IS NOT NULL AND NEW.start_date IS DISTINCT FROM OLD.start_date)
        EXECUTE FUNCTION move_granted_session();

      -- At the end of the transaction: by then whoever ends the leave holds the lock of its credential, and so sees every
      -- session that began with it.
      CREATE FUNCTION follow_grant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE granted_sessions SET status = NEW.status
          WHERE org_id = NEW.org_id AND review_id = NEW.id AND status <> NEW.status;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER reviews_grant_at_commit AFTER UPDATE OF status ON reviews
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.type = 'jit' AND NEW.status <> OLD.status) EXECUTE FUNCTION follow_grant();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER sessions_granted_insert ON sessions;
      DROP TRIGGER sessions_granted_moved ON sessions;
      DROP TRIGGER reviews_grant_at_commit ON reviews;
      DROP FUNCTION list_granted_session, move_granted_session, follow_grant;
      DROP TABLE granted_session_groups, granted_sessions;
    `);
  }
}
