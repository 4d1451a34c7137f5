import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * People decide: a review keeps its own copy of the rules it is about, who asked and for which connection; each
 * person's vote is a row; and the database itself knows which state can follow which, so that none can be passed by.
 */
export class Reviews1764900000000 implements MigrationInterface {
  name = 'Reviews1764900000000';

  async up(db: QueryRunner): Promise<void> {
    await this.tellMore(db);
    await this.letPeopleVote(db);
    await db.query(`
      CREATE FUNCTION keep_review_states() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.status <> ALL (CASE OLD.status
            WHEN 'PENDING' THEN ARRAY['APPROVED', 'REJECTED', 'REVOKED', 'EXPIRED']
            WHEN 'APPROVED' THEN ARRAY['PROCESSING', 'REVOKED', 'EXPIRED']
            WHEN 'PROCESSING' THEN ARRAY['EXECUTED', 'UNKNOWN']
            ELSE ARRAY[]::text[] END) THEN
          RAISE EXCEPTION 'a review that is % cannot become %', OLD.status, NEW.status
            USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER reviews_states BEFORE UPDATE OF status ON reviews
        FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION keep_review_states();

      -- A request for a span of time may have no session: it has its place in lists by when it was made.
      CREATE OR REPLACE FUNCTION place_review() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.session_start := coalesce(
          (SELECT start_date FROM sessions WHERE org_id = NEW.org_id AND id = NEW.session_id), now());
        RETURN NEW;
      END $$;
    `);
    await keepTotal(db);
  }

  private async tellMore(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE reviews
        ALTER COLUMN session_id DROP NOT NULL, ALTER COLUMN input_hash DROP NOT NULL,
        ADD COLUMN connection_id     uuid,
        ADD COLUMN connection_name   text  NOT NULL DEFAULT '',
        ADD COLUMN connection_subtype text NOT NULL DEFAULT '',
        ADD COLUMN requester_id      uuid,
        ADD COLUMN requester_type    text  NOT NULL DEFAULT 'user',
        ADD COLUMN requester_subject text  NOT NULL DEFAULT '',
        ADD COLUMN requester_email   text  NOT NULL DEFAULT '',
        ADD COLUMN requester_name    text  NOT NULL DEFAULT '',
        ADD COLUMN person_behind     text  NOT NULL DEFAULT '',
        ADD COLUMN rules             jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN approved_at       timestamptz,
        ADD COLUMN taken_at          timestamptz,
        ADD COLUMN ended_at          timestamptz,
        ADD CONSTRAINT reviews_input_check CHECK (
          type = 'jit' OR (session_id IS NOT NULL AND input_hash IS NOT NULL)),
        ADD CONSTRAINT reviews_requester_check CHECK (requester_type IN ('user', 'machine'));

      UPDATE reviews AS review SET
          connection_id = session.connection_id, connection_name = session.connection_name,
          connection_subtype = session.connection_subtype,
          requester_type = session.identity_type, requester_subject = session.user_subject,
          requester_email = session.user_email, requester_name = session.user_name,
          requester_id = coalesce(people.id, keys.id), person_behind = coalesce(keys.created_by, session.user_subject)
        FROM sessions AS session
        LEFT JOIN users AS people ON people.org_id = session.org_id AND session.identity_type = 'user'
          AND people.subject = session.user_subject
        LEFT JOIN api_keys AS keys ON keys.org_id = session.org_id AND session.identity_type = 'machine'
          AND session.user_subject = 'api-key:' || keys.id
        WHERE session.id = review.session_id;
      -- What was asked before is decided by what it said then: so many approvals by these groups.
      UPDATE reviews AS review SET rules = jsonb_build_array(jsonb_build_object(
          'id', review.id, 'name', review.access_request_rule_name, 'approvalRequiredGroups', '[]'::jsonb,
          'reviewersGroups', (SELECT coalesce(jsonb_agg(group_name), '[]') FROM review_groups WHERE review_id = review.id),
          'forceApprovalGroups', to_jsonb(review.force_approval_groups), 'allGroupsMustApprove', false,
          'minApprovals', review.min_approvals, 'accessMaxDuration', 172800));

      DROP INDEX reviews_pending_index;
      CREATE INDEX reviews_open_index ON reviews (org_id, expires_at) WHERE status IN ('PENDING', 'APPROVED');
      CREATE INDEX reviews_processing_index ON reviews (org_id, taken_at) WHERE status = 'PROCESSING';
      CREATE INDEX reviews_page_index ON reviews (org_id, created_at, id);
      CREATE INDEX reviews_status_index ON reviews (org_id, status, created_at, id);
      CREATE INDEX reviews_requester_index ON reviews (org_id, requester_type, requester_id, created_at, id);
    `);
  }

  private async letPeopleVote(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE review_votes (
        org_id      uuid        NOT NULL,
        review_id   uuid        NOT NULL,
        user_id     uuid        NOT NULL,
        verdict     text        NOT NULL,
        groups      text[]      NOT NULL,
        forced      boolean     NOT NULL,
        time_window jsonb,
        voted_at    timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT review_votes_pk PRIMARY KEY (review_id, user_id),
        CONSTRAINT review_votes_review_fk FOREIGN KEY (org_id, review_id) REFERENCES reviews (org_id, id),
        CONSTRAINT review_votes_verdict_check CHECK (verdict IN ('APPROVED', 'REJECTED'))
      );

      -- Several people of one group may approve: each is shown.
      ALTER TABLE review_groups DROP CONSTRAINT review_groups_group_unique, ALTER COLUMN session_id DROP NOT NULL,
        ADD COLUMN is_asked boolean NOT NULL DEFAULT true;
      CREATE UNIQUE INDEX review_groups_group_index ON review_groups
        (review_id, group_name, (coalesce(reviewed_by ->> 'id', '')));
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await dropTotal(db);
    await db.query(`
      DROP TRIGGER reviews_states ON reviews;
      DROP FUNCTION keep_review_states;
      CREATE OR REPLACE FUNCTION place_review() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT start_date INTO NEW.session_start FROM sessions WHERE org_id = NEW.org_id AND id = NEW.session_id;
        RETURN NEW;
      END $$;
      DROP TABLE review_votes;
      DROP INDEX review_groups_group_index;
      DELETE FROM review_groups AS said USING review_groups AS other WHERE NOT said.is_asked OR said.session_id IS NULL
        OR (said.review_id = other.review_id AND said.group_name = other.group_name AND said.id > other.id);
      ALTER TABLE review_groups DROP COLUMN is_asked, ALTER COLUMN session_id SET NOT NULL,
        ADD CONSTRAINT review_groups_group_unique UNIQUE (review_id, group_name);
      DROP INDEX reviews_open_index, reviews_processing_index, reviews_page_index, reviews_status_index,
        reviews_requester_index;
      CREATE INDEX reviews_pending_index ON reviews (org_id, expires_at) WHERE status = 'PENDING';
      DELETE FROM reviews WHERE session_id IS NULL OR input_hash IS NULL;
      ALTER TABLE reviews DROP CONSTRAINT reviews_input_check, DROP CONSTRAINT reviews_requester_check,
        ALTER COLUMN session_id SET NOT NULL, ALTER COLUMN input_hash SET NOT NULL,
        DROP COLUMN connection_id, DROP COLUMN connection_name, DROP COLUMN connection_subtype,
        DROP COLUMN requester_id, DROP COLUMN requester_type,
        DROP COLUMN requester_subject, DROP COLUMN requester_email, DROP COLUMN requester_name,
        DROP COLUMN person_behind, DROP COLUMN rules, DROP COLUMN approved_at, DROP COLUMN taken_at,
        DROP COLUMN ended_at;
    `);
  }
}

/** As the other lists that grow large (migration RowTotals). */
async function keepTotal(db: QueryRunner): Promise<void> {
  await db.query(`
    CREATE TRIGGER reviews_total_insert AFTER INSERT ON reviews REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
    CREATE TRIGGER reviews_total_delete AFTER DELETE ON reviews REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
    CREATE TRIGGER reviews_total_truncate AFTER TRUNCATE ON reviews
      FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
    INSERT INTO row_totals SELECT org_id, 'reviews', count(*) FROM reviews GROUP BY org_id;
  `);
}

async function dropTotal(db: QueryRunner): Promise<void> {
  await db.query(`
    DROP TRIGGER reviews_total_insert ON reviews;
    DROP TRIGGER reviews_total_delete ON reviews;
    DROP TRIGGER reviews_total_truncate ON reviews;
    DELETE FROM row_totals WHERE table_name = 'reviews';
  `);
}
