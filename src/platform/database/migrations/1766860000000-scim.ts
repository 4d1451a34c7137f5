import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Provisioning by SCIM: its tokens, its users and groups, and the memberships and declarations that come from it. */
export class Scim1766860000000 implements MigrationInterface {
  name = 'Scim1766860000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE users ADD COLUMN match_key text;
      CREATE INDEX users_match_index ON users (org_id, match_key) WHERE match_key IS NOT NULL;
      ALTER TABLE groups ADD COLUMN source text NOT NULL DEFAULT 'manual'
        CONSTRAINT groups_source_check CHECK (source IN ('manual', 'scim'));
      ALTER TABLE user_groups DROP CONSTRAINT user_groups_source_check,
        ADD CONSTRAINT user_groups_source_check CHECK (source IN ('idp', 'manual', 'scim'));

      CREATE TABLE scim_tokens (
        id         uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id     uuid        NOT NULL,
        name       text        NOT NULL,
        prefix     text        NOT NULL,
        token_hash bytea       NOT NULL,
        created_by text        NOT NULL,
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT scim_tokens_pk PRIMARY KEY (id),
        CONSTRAINT scim_tokens_hash_unique UNIQUE (token_hash),
        CONSTRAINT scim_tokens_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id)
      );
      CREATE UNIQUE INDEX scim_tokens_name_index ON scim_tokens (org_id, name) WHERE revoked_at IS NULL;
      CREATE INDEX scim_tokens_page_index ON scim_tokens (org_id, created_at DESC, id DESC);
      CREATE TRIGGER scim_tokens_total_insert AFTER INSERT ON scim_tokens
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
      CREATE TRIGGER scim_tokens_total_delete AFTER DELETE ON scim_tokens
        REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
      CREATE TRIGGER scim_tokens_total_truncate AFTER TRUNCATE ON scim_tokens
        FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();

      CREATE TABLE scim_users (
        id          uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id      uuid        NOT NULL,
        user_name   text        NOT NULL,
        external_id text,
        active      boolean     NOT NULL,
        attributes  jsonb       NOT NULL,
        version     integer     NOT NULL DEFAULT 1,
        created_at  timestamptz NOT NULL DEFAULT now(),
        updated_at  timestamptz NOT NULL DEFAULT now(),
        -- Kept with its external id alone: a person whom SCIM deleted must not come back with an old access token.
        deleted_at  timestamptz,
        CONSTRAINT scim_users_pk PRIMARY KEY (id),
        CONSTRAINT scim_users_org_id_unique UNIQUE (org_id, id),
        CONSTRAINT scim_users_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id)
      );
      CREATE UNIQUE INDEX scim_users_name_index ON scim_users (org_id, lower(user_name COLLATE "C")) WHERE deleted_at IS NULL;
      CREATE UNIQUE INDEX scim_users_external_index ON scim_users (org_id, external_id) WHERE deleted_at IS NULL;
      CREATE INDEX scim_users_deleted_index ON scim_users (org_id, external_id) WHERE deleted_at IS NOT NULL;
      CREATE INDEX scim_users_page_index ON scim_users (org_id, created_at, id) WHERE deleted_at IS NULL;

      CREATE TABLE scim_groups (
        id           uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id       uuid        NOT NULL,
        display_name text        NOT NULL,
        external_id  text,
        version      integer     NOT NULL DEFAULT 1,
        created_at   timestamptz NOT NULL DEFAULT now(),
        updated_at   timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT scim_groups_pk PRIMARY KEY (id),
        CONSTRAINT scim_groups_org_id_unique UNIQUE (org_id, id),
        CONSTRAINT scim_groups_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id)
      );
      CREATE UNIQUE INDEX scim_groups_name_index ON scim_groups (org_id, lower(display_name COLLATE "C"));
      CREATE INDEX scim_groups_page_index ON scim_groups (org_id, created_at, id);

      CREATE TABLE scim_group_members (
        org_id   uuid NOT NULL,
        group_id uuid NOT NULL,
        user_id  uuid NOT NULL,
        CONSTRAINT scim_group_members_pk PRIMARY KEY (group_id, user_id),
        CONSTRAINT scim_group_members_group_fk FOREIGN KEY (org_id, group_id)
          REFERENCES scim_groups (org_id, id) ON DELETE CASCADE,
        CONSTRAINT scim_group_members_user_fk FOREIGN KEY (org_id, user_id)
          REFERENCES scim_users (org_id, id) ON DELETE CASCADE
      );
      CREATE INDEX scim_group_members_user_index ON scim_group_members (user_id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE scim_group_members, scim_groups, scim_users, scim_tokens;
      DELETE FROM row_totals WHERE table_name = 'scim_tokens';
      DELETE FROM user_groups WHERE source = 'scim';
      ALTER TABLE user_groups DROP CONSTRAINT user_groups_source_check,
        ADD CONSTRAINT user_groups_source_check CHECK (source IN ('idp', 'manual'));
      DELETE FROM groups WHERE source = 'scim';
      ALTER TABLE groups DROP COLUMN source;
      ALTER TABLE users DROP COLUMN match_key;
    `);
  }
}
