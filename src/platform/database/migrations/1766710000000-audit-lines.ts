import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lines of the audit log are linked by the database: in one statement instead of a transaction of five. */
export class AuditLines1766710000000 implements MigrationInterface {
  name = 'AuditLines1766710000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- Element i of each array belongs to line i. The content of a line, which its hash covers, is contents_before[i], the
      -- line's number, and contents_after[i]. Each statement of the function sees what was committed before it, so the last
      -- line is read after whoever held the lock has committed.
      CREATE FUNCTION append_audit_lines(org uuid, created timestamptz, actor_ids text[], actor_emails text[],
        actor_types text[], actions text[], resource_types text[], resource_ids text[], outcomes text[], statuses integer[],
        client_addresses text[], request_ids text[], changed text[], contents_before text[], contents_after text[])
      RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        place bigint;
        link  bytea;
        made  bytea;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('audit_log'), hashtext(org::text));
        SELECT seq, hash INTO place, link FROM audit_log WHERE org_id = org ORDER BY seq DESC LIMIT 1;
        IF NOT FOUND THEN
          place := 0;
          link := decode(repeat('00', 32), 'hex');
        END IF;
        FOR i IN 1 .. cardinality(actor_ids) LOOP
          place := place + 1;
          made := sha256(link || convert_to(contents_before[i] || place || contents_after[i], 'UTF8'));
          INSERT INTO audit_log (org_id, seq, created_at, actor_id, actor_email, actor_type, action, resource_type,
              resource_id, outcome, status, client_address, request_id, changes, previous, hash)
            VALUES (org, place, created, actor_ids[i], actor_emails[i], actor_types[i], actions[i], resource_types[i],
              resource_ids[i], outcomes[i], statuses[i], client_addresses[i], request_ids[i], changed[i]::jsonb, link, made);
          link := made;
        END LOOP;
      END $$;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION append_audit_lines');
  }
}
