import type { MigrationInterface, QueryRunner } from 'typeorm';
import { normalizeStoredNames } from './stored-names';

/**
 * Brings the names that are stored into the form in which names are taken (src/kernel/text/names.ts), and tells what it
 * changed: `name_changes`, which the next start puts on the audit log. See `normalizeStoredNames` for what becomes of
 * names that would be the same.
 *
 * `visible_names` is how decisions compare names: without what nobody sees, so that a look-alike that is written into
 * a table past the gateway does not escape the rules of what it looks like. The indexes are for those decisions.
 */
export class NormalNames1766210000000 implements MigrationInterface {
  name = 'NormalNames1766210000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE name_changes (
        id          bigint      GENERATED ALWAYS AS IDENTITY,
        org_id      uuid        NOT NULL,
        resource    text        NOT NULL,
        resource_id text        NOT NULL,
        field       text        NOT NULL,
        before      text        NOT NULL,
        after       text        NOT NULL,
        note        text        NOT NULL DEFAULT '',
        changed_at  timestamptz NOT NULL DEFAULT now(),
        told_at     timestamptz,
        CONSTRAINT name_changes_pk PRIMARY KEY (id),
        CONSTRAINT name_changes_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id)
      );
      CREATE INDEX name_changes_untold_index ON name_changes (id) WHERE told_at IS NULL;

      CREATE FUNCTION visible_names(names text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT coalesce(array_agg(btrim(normalize(
          regexp_replace(
            regexp_replace(normalize(name, NFC), '[${BLANKS}]', ' ', 'g'),
            '[${UNSEEN}]', '', 'g'), NFC))), '{}')
        FROM unnest(names) AS name
      $$;
      CREATE INDEX guardrail_rules_visible_attributes_index ON guardrail_rules USING gin (visible_names(attributes));
      CREATE INDEX access_request_rules_visible_attributes_index ON access_request_rules
        USING gin (visible_names(attributes));
      CREATE INDEX access_request_rules_visible_connections_index ON access_request_rules
        USING gin (visible_names(connection_names));
    `);
    await normalizeStoredNames(db);
  }

  /** Names stay as they are: what they were is told in the audit log. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX guardrail_rules_visible_attributes_index, access_request_rules_visible_attributes_index,
        access_request_rules_visible_connections_index;
      DROP FUNCTION visible_names;
      DROP TABLE name_changes;
    `);
  }
}

/** White space of Unicode, as classes of PostgreSQL's regular expressions are written. */
const BLANKS = '\\t\\n\\v\\f\\r\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF';

/** What `INVISIBLE` in src/kernel/text/names.ts holds besides: control and format characters, and what is rendered as nothing. */
const UNSEEN = [
  '\\u0001-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u0600-\\u0605\\u061C\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u115F\\u1160',
  '\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFFA0',
  '\\uFFF0-\\uFFFB\\uE000-\\uF8FF\\U000110BD\\U000110CD\\U00013430-\\U0001343F\\U0001BCA0-\\U0001BCA3',
  '\\U0001D173-\\U0001D17A\\U000E0000-\\U000E0FFF\\U000F0000-\\U0010FFFD',
].join('');
