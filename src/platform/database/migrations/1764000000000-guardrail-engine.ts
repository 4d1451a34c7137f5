import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What guard rails count: per rule, and what they masked in a session. */
export class GuardrailEngine1764000000000 implements MigrationInterface {
  name = 'GuardrailEngine1764000000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE sessions ADD COLUMN data_masking jsonb NOT NULL DEFAULT '{}';

      CREATE TABLE guardrail_stats (
        org_id   uuid        NOT NULL,
        rule_id  uuid        NOT NULL,
        checked  bigint      NOT NULL DEFAULT 0,
        hit      bigint      NOT NULL DEFAULT 0,
        last_hit timestamptz,
        CONSTRAINT guardrail_stats_pk PRIMARY KEY (rule_id),
        CONSTRAINT guardrail_stats_rule_fk FOREIGN KEY (org_id, rule_id)
          REFERENCES guardrail_rules (org_id, id) ON DELETE CASCADE
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE guardrail_stats;
      ALTER TABLE sessions DROP COLUMN data_masking;
    `);
  }
}
