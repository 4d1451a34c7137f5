import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credentials that stand for leave which people gave: such a one bears the id of its review, is there from the request
 * on, begins when it is first used, and may be given another password until it ends.
 */
export class ApprovedAccess1765200000000 implements MigrationInterface {
  name = 'ApprovedAccess1765200000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE connection_credentials
        ADD COLUMN review_id uuid,
        ADD COLUMN begun_at  timestamptz,
        ALTER COLUMN iterations DROP NOT NULL, ALTER COLUMN salt DROP NOT NULL,
        ALTER COLUMN stored_key DROP NOT NULL, ALTER COLUMN server_key DROP NOT NULL,
        ALTER COLUMN expire_at DROP NOT NULL,
        DROP CONSTRAINT connection_credentials_span_check,
        DROP CONSTRAINT connection_credentials_verifier_check,
        ADD CONSTRAINT connection_credentials_review_fk FOREIGN KEY (org_id, review_id)
          REFERENCES reviews (org_id, id),
        ADD CONSTRAINT connection_credentials_review_check CHECK (
          CASE WHEN review_id IS NULL THEN begun_at IS NULL AND expire_at IS NOT NULL AND stored_key IS NOT NULL
          ELSE review_id = id AND (begun_at IS NULL) = (expire_at IS NULL)
            AND (stored_key IS NULL OR begun_at IS NOT NULL) END),
        ADD CONSTRAINT connection_credentials_span_check CHECK (
          expire_at > coalesce(begun_at, created_at)
          AND expire_at <= coalesce(begun_at, created_at) + interval '48 hours'),
        ADD CONSTRAINT connection_credentials_verifier_check CHECK (
          num_nonnulls(iterations, salt, stored_key, server_key) IN (0, 4)
          AND (stored_key IS NULL OR (iterations >= 4096 AND octet_length(salt) >= 16
            AND octet_length(stored_key) = 32 AND octet_length(server_key) = 32)));

      DROP TRIGGER connection_credentials_stay ON connection_credentials;
      -- One that stands for a review begins, once, and may get another password; all else stays, as it does for others.
      CREATE TRIGGER connection_credentials_stay BEFORE UPDATE ON connection_credentials
        FOR EACH ROW WHEN (
          OLD.revoked_at IS NOT NULL
          OR (OLD.begun_at IS NOT NULL AND (NEW.begun_at, NEW.expire_at) IS DISTINCT FROM (OLD.begun_at, OLD.expire_at))
          OR to_jsonb(OLD) - CASE WHEN OLD.review_id IS NULL THEN ARRAY['revoked_at']
               ELSE ARRAY['revoked_at', 'begun_at', 'expire_at', 'iterations', 'salt', 'stored_key', 'server_key'] END
          <> to_jsonb(NEW) - CASE WHEN OLD.review_id IS NULL THEN ARRAY['revoked_at']
               ELSE ARRAY['revoked_at', 'begun_at', 'expire_at', 'iterations', 'salt', 'stored_key', 'server_key'] END)
        EXECUTE FUNCTION keep_issued();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER connection_credentials_stay ON connection_credentials;
      -- Nobody could use, or ask anew for, what was approved once its credential is gone.
      UPDATE reviews SET status = 'REVOKED', ended_at = now() FROM connection_credentials AS credential
        WHERE reviews.id = credential.review_id AND reviews.status IN ('PENDING', 'APPROVED');
      DELETE FROM connection_credentials WHERE review_id IS NOT NULL;
      ALTER TABLE connection_credentials
        DROP CONSTRAINT connection_credentials_review_fk, DROP CONSTRAINT connection_credentials_review_check,
        DROP CONSTRAINT connection_credentials_span_check, DROP CONSTRAINT connection_credentials_verifier_check,
        DROP COLUMN review_id, DROP COLUMN begun_at,
        ALTER COLUMN iterations SET NOT NULL, ALTER COLUMN salt SET NOT NULL,
        ALTER COLUMN stored_key SET NOT NULL, ALTER COLUMN server_key SET NOT NULL,
        ALTER COLUMN expire_at SET NOT NULL,
        ADD CONSTRAINT connection_credentials_span_check CHECK (
          expire_at > created_at AND expire_at <= created_at + interval '48 hours'),
        ADD CONSTRAINT connection_credentials_verifier_check CHECK (
          iterations >= 4096 AND octet_length(salt) >= 16
          AND octet_length(stored_key) = 32 AND octet_length(server_key) = 32);
      CREATE TRIGGER connection_credentials_stay BEFORE UPDATE ON connection_credentials
        FOR EACH ROW WHEN (
          OLD.revoked_at IS NOT NULL OR to_jsonb(OLD) - 'revoked_at' <> to_jsonb(NEW) - 'revoked_at')
        EXECUTE FUNCTION keep_issued();
    `);
  }
}
