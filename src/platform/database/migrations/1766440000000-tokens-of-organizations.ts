import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens belong to the organization of their authorization, as all rows do: no key leads into another one. */
export class TokensOfOrganizations1766440000000 implements MigrationInterface {
  name = 'TokensOfOrganizations1766440000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE authorizations ADD CONSTRAINT authorizations_org_id_unique UNIQUE (org_id, id);
      ALTER TABLE authorization_tokens ADD COLUMN org_id uuid;
      UPDATE authorization_tokens SET org_id = authorizations.org_id FROM authorizations
        WHERE authorizations.id = authorization_id;
      ALTER TABLE authorization_tokens
        ALTER COLUMN org_id SET NOT NULL,
        DROP CONSTRAINT authorization_tokens_authorization_fk,
        ADD CONSTRAINT authorization_tokens_authorization_fk FOREIGN KEY (org_id, authorization_id)
          REFERENCES authorizations (org_id, id) ON DELETE CASCADE;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE authorization_tokens
        DROP CONSTRAINT authorization_tokens_authorization_fk,
        ADD CONSTRAINT authorization_tokens_authorization_fk FOREIGN KEY (authorization_id)
          REFERENCES authorizations (id) ON DELETE CASCADE,
        DROP COLUMN org_id;
      ALTER TABLE authorizations DROP CONSTRAINT authorizations_org_id_unique;
    `);
  }
}
