import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables that grow large and whose lists tell how long they are. */
const COUNTED = ['access_request_rules', 'api_keys', 'connections', 'guardrail_rules', 'users'];

/**
 * How many rows each organization has, kept by triggers inside the transaction that adds or removes them: a list
 * tells its total without counting, and the total is as right as the rows are.
 */
export class RowTotals1763900000000 implements MigrationInterface {
  name = 'RowTotals1763900000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE row_totals (
        org_id     uuid   NOT NULL,
        table_name text   NOT NULL,
        total      bigint NOT NULL,
        CONSTRAINT row_totals_pk PRIMARY KEY (org_id, table_name),
        CONSTRAINT row_totals_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id)
      );

      CREATE FUNCTION keep_row_total() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'TRUNCATE' THEN
          DELETE FROM row_totals WHERE table_name = TG_TABLE_NAME;
          RETURN NULL;
        END IF;
        INSERT INTO row_totals AS kept (org_id, table_name, total)
          SELECT org_id, TG_TABLE_NAME, CASE TG_OP WHEN 'DELETE' THEN -count(*) ELSE count(*) END
          FROM changed GROUP BY org_id
          ON CONFLICT ON CONSTRAINT row_totals_pk DO UPDATE SET total = kept.total + EXCLUDED.total;
        RETURN NULL;
      END $$;
    `);
    for (const table of COUNTED) {
      await db.query(`
        CREATE TRIGGER ${table}_total_insert AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed
          FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
        CREATE TRIGGER ${table}_total_delete AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed
          FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
        CREATE TRIGGER ${table}_total_truncate AFTER TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
        INSERT INTO row_totals SELECT org_id, '${table}', count(*) FROM ${table} GROUP BY org_id;
      `);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of COUNTED) {
      await db.query(`
        DROP TRIGGER ${table}_total_insert ON ${table};
        DROP TRIGGER ${table}_total_delete ON ${table};
        DROP TRIGGER ${table}_total_truncate ON ${table};
      `);
    }
    await db.query('DROP TABLE row_totals; DROP FUNCTION keep_row_total');
  }
}
