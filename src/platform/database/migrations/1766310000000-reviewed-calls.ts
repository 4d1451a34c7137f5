import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reviews of one call within a live session. Who approved is written with the vote, no longer by a trigger. */
export class ReviewedCalls1766310000000 implements MigrationInterface {
  name = 'ReviewedCalls1766310000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE reviews
        ADD COLUMN call jsonb,
        ADD COLUMN call_session_id uuid,
        DROP CONSTRAINT reviews_input_check,
        ADD CONSTRAINT reviews_input_check CHECK (
          type = 'jit' OR (input_hash IS NOT NULL AND (session_id IS NULL) <> (call_session_id IS NULL))),
        ADD CONSTRAINT reviews_call_check CHECK ((call IS NULL) = (call_session_id IS NULL)),
        ADD CONSTRAINT reviews_call_session_fk FOREIGN KEY (org_id, call_session_id) REFERENCES sessions (org_id, id);
      CREATE INDEX reviews_call_index ON reviews
        (org_id, requester_type, requester_id, connection_id, input_hash, created_at) WHERE call_session_id IS NOT NULL`);
    await db.query('DROP TRIGGER review_groups_approver ON review_groups; DROP FUNCTION name_approver');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION name_approver() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.approver_id := CASE NEW.status WHEN 'APPROVED' THEN NEW.reviewed_by ->> 'id' END;
        NEW.approver_email := CASE NEW.status WHEN 'APPROVED' THEN NEW.reviewed_by ->> 'email' END;
        RETURN NEW;
      END $$;
      CREATE TRIGGER review_groups_approver BEFORE INSERT OR UPDATE OF status, reviewed_by ON review_groups
        FOR EACH ROW EXECUTE FUNCTION name_approver();
      DELETE FROM review_votes USING reviews WHERE reviews.id = review_id AND call_session_id IS NOT NULL;
      DELETE FROM review_groups USING reviews WHERE reviews.id = review_id AND call_session_id IS NOT NULL;
      DELETE FROM reviews WHERE call_session_id IS NOT NULL;
      ALTER TABLE reviews
        DROP CONSTRAINT reviews_input_check,
        DROP COLUMN call,
        DROP COLUMN call_session_id,
        ADD CONSTRAINT reviews_input_check CHECK (type = 'jit' OR (session_id IS NOT NULL AND input_hash IS NOT NULL))`);
  }
}
