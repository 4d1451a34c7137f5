import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the list of sessions is found by: each filter has an index that ends in the order of the list, so a page is
 * read off an index whatever is asked for. Reviews, what groups said of them, and hits of guard rails bear the start
 * of their session, because an index cannot be ordered by a column of another table; triggers keep it.
 */
export class SessionList1764100000000 implements MigrationInterface {
  name = 'SessionList1764100000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE INDEX sessions_user_index ON sessions (org_id, user_subject, start_date, id) INCLUDE (identity_type);
      CREATE INDEX sessions_email_index ON sessions (org_id, user_email, start_date, id);
      CREATE INDEX sessions_connection_index ON sessions (org_id, connection_name, start_date, id);
      CREATE INDEX sessions_type_index ON sessions (org_id, type, start_date, id);
      CREATE INDEX sessions_verb_index ON sessions (org_id, verb, start_date, id);
      CREATE INDEX sessions_status_index ON sessions (org_id, status, start_date, id);
      CREATE INDEX sessions_batch_index ON sessions (org_id, session_batch_id, start_date, id)
        WHERE session_batch_id IS NOT NULL;
      CREATE INDEX sessions_correlation_index ON sessions (org_id, correlation_id, start_date, id)
        WHERE correlation_id IS NOT NULL;
    `);
    await this.placeReviews(db);
    await this.listGuardrailHits(db);
    await db.query(`
      CREATE FUNCTION move_session_start() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE reviews SET session_start = NEW.start_date WHERE session_id = NEW.id;
        UPDATE review_groups SET session_start = NEW.start_date WHERE org_id = NEW.org_id AND session_id = NEW.id;
        UPDATE session_guardrail_hits SET session_start = NEW.start_date
          WHERE org_id = NEW.org_id AND session_id = NEW.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER sessions_start_moved AFTER UPDATE OF start_date ON sessions
        FOR EACH ROW WHEN (NEW.start_date IS DISTINCT FROM OLD.start_date) EXECUTE FUNCTION move_session_start();
    `);
  }

  private async placeReviews(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE reviews ADD COLUMN session_start timestamptz;
      ALTER TABLE review_groups ADD COLUMN session_id uuid, ADD COLUMN session_start timestamptz,
        ADD COLUMN approver_id text, ADD COLUMN approver_email text;
      UPDATE reviews AS review SET session_start = session.start_date
        FROM sessions AS session WHERE session.id = review.session_id;
      UPDATE review_groups AS said SET session_id = review.session_id, session_start = review.session_start,
          approver_id = CASE said.status WHEN 'APPROVED' THEN said.reviewed_by ->> 'id' END,
          approver_email = CASE said.status WHEN 'APPROVED' THEN said.reviewed_by ->> 'email' END
        FROM reviews AS review WHERE review.id = said.review_id;
      ALTER TABLE reviews ALTER COLUMN session_start SET NOT NULL;
      ALTER TABLE review_groups ALTER COLUMN session_id SET NOT NULL, ALTER COLUMN session_start SET NOT NULL;

      CREATE FUNCTION place_review() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT start_date INTO NEW.session_start FROM sessions WHERE org_id = NEW.org_id AND id = NEW.session_id;
        RETURN NEW;
      END $$;
      CREATE TRIGGER reviews_place BEFORE INSERT ON reviews FOR EACH ROW EXECUTE FUNCTION place_review();

      CREATE FUNCTION place_review_group() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT session_id, session_start INTO NEW.session_id, NEW.session_start
          FROM reviews WHERE org_id = NEW.org_id AND id = NEW.review_id;
        RETURN NEW;
      END $$;
      CREATE TRIGGER review_groups_place BEFORE INSERT ON review_groups
        FOR EACH ROW EXECUTE FUNCTION place_review_group();

      CREATE FUNCTION name_approver() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.approver_id := CASE NEW.status WHEN 'APPROVED' THEN NEW.reviewed_by ->> 'id' END;
        NEW.approver_email := CASE NEW.status WHEN 'APPROVED' THEN NEW.reviewed_by ->> 'email' END;
        RETURN NEW;
      END $$;
      CREATE TRIGGER review_groups_approver BEFORE INSERT OR UPDATE OF status, reviewed_by ON review_groups
        FOR EACH ROW EXECUTE FUNCTION name_approver();

      CREATE INDEX reviews_list_index ON reviews (org_id, status, session_start, session_id);
      CREATE INDEX review_groups_list_index ON review_groups (org_id, group_name, session_start, session_id);
      CREATE INDEX review_groups_session_index ON review_groups (org_id, session_id);
      CREATE INDEX review_groups_approver_index ON review_groups (org_id, approver_id, session_start, session_id)
        WHERE approver_id IS NOT NULL;
      CREATE INDEX review_groups_approver_email_index ON review_groups
        (org_id, approver_email, session_start, session_id) WHERE approver_email IS NOT NULL;
    `);
  }

  /** By trigger, so that whoever writes guardrails_info has written this too. Rules are named by id and as they were called. */
  private async listGuardrailHits(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE session_guardrail_hits (
        org_id        uuid        NOT NULL,
        rule          text        NOT NULL,
        session_start timestamptz NOT NULL,
        session_id    uuid        NOT NULL,
        CONSTRAINT session_guardrail_hits_pk PRIMARY KEY (org_id, rule, session_start, session_id),
        CONSTRAINT session_guardrail_hits_session_fk FOREIGN KEY (org_id, session_id)
          REFERENCES sessions (org_id, id) ON DELETE CASCADE
      );
      CREATE INDEX session_guardrail_hits_session_index ON session_guardrail_hits (org_id, session_id);

      CREATE FUNCTION list_guardrail_hits() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO session_guardrail_hits (org_id, rule, session_start, session_id)
          SELECT NEW.org_id, rule, NEW.start_date, NEW.id
          FROM jsonb_array_elements(NEW.guardrails_info) AS hit,
            LATERAL (VALUES (hit ->> 'rule_id'), (hit ->> 'rule_name')) AS named (rule)
          WHERE rule IS NOT NULL
          ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
      CREATE TRIGGER sessions_hit_insert AFTER INSERT ON sessions
        FOR EACH ROW WHEN (NEW.guardrails_info <> '[]') EXECUTE FUNCTION list_guardrail_hits();
      CREATE TRIGGER sessions_hit_update AFTER UPDATE OF guardrails_info ON sessions
        FOR EACH ROW WHEN (NEW.guardrails_info IS DISTINCT FROM OLD.guardrails_info)
        EXECUTE FUNCTION list_guardrail_hits();

      INSERT INTO session_guardrail_hits (org_id, rule, session_start, session_id)
        SELECT session.org_id, named.rule, session.start_date, session.id
        FROM sessions AS session CROSS JOIN jsonb_array_elements(session.guardrails_info) AS hit
          LEFT JOIN guardrail_rules AS known ON known.org_id = session.org_id AND known.name = hit ->> 'rule_name',
          LATERAL (VALUES (known.id::text), (hit ->> 'rule_name')) AS named (rule)
        WHERE named.rule IS NOT NULL
        ON CONFLICT DO NOTHING;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER sessions_start_moved ON sessions;
      DROP TRIGGER sessions_hit_insert ON sessions;
      DROP TRIGGER sessions_hit_update ON sessions;
      DROP TRIGGER reviews_place ON reviews;
      DROP TRIGGER review_groups_place ON review_groups;
      DROP TRIGGER review_groups_approver ON review_groups;
      DROP FUNCTION move_session_start, list_guardrail_hits, place_review, place_review_group, name_approver;
      DROP TABLE session_guardrail_hits;
      DROP INDEX reviews_list_index, review_groups_list_index, review_groups_session_index,
        review_groups_approver_index, review_groups_approver_email_index, sessions_user_index, sessions_email_index,
        sessions_connection_index, sessions_type_index, sessions_verb_index, sessions_status_index,
        sessions_batch_index, sessions_correlation_index;
      ALTER TABLE reviews DROP COLUMN session_start;
      ALTER TABLE review_groups DROP COLUMN session_id, DROP COLUMN session_start, DROP COLUMN approver_id,
        DROP COLUMN approver_email;
    `);
  }
}
