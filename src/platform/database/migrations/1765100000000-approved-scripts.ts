import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Approved scripts run: their session starts anew when they do, and what it said is found by that start too. A review is of
 * all that is put in, not of the script alone.
 */
export class ApprovedScripts1765100000000 implements MigrationInterface {
  name = 'ApprovedScripts1765100000000';

  async up(db: QueryRunner): Promise<void> {
    await moveStarts(
      db,
      'UPDATE session_texts SET session_start = NEW.start_date WHERE session_id = NEW.id;',
    );
    // Length and bytes of the script, then the number of arguments, of which there were none; nor was there an environment.
    await hashAgain(
      db,
      `int8send(octet_length(text)::bigint) || text || int8send(1) || convert_to('0', 'UTF8')`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await moveStarts(db, '');
    await hashAgain(db, 'text');
  }
}

/** As migration SessionList has it, and more. */
async function moveStarts(db: QueryRunner, more: string): Promise<void> {
  await db.query(`
    CREATE OR REPLACE FUNCTION move_session_start() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE reviews SET session_start = NEW.start_date WHERE session_id = NEW.id;
      UPDATE review_groups SET session_start = NEW.start_date WHERE org_id = NEW.org_id AND session_id = NEW.id;
      UPDATE session_guardrail_hits SET session_start = NEW.start_date
        WHERE org_id = NEW.org_id AND session_id = NEW.id;
      ${more}
      RETURN NULL;
    END $$`);
}

/** Of what was asked for and has not run. */
async function hashAgain(db: QueryRunner, bytes: string): Promise<void> {
  await db.query(`
    UPDATE reviews AS review SET input_hash = sha256(${bytes})
    FROM (SELECT org_id, id, convert_to(script, 'UTF8') AS text FROM sessions WHERE script IS NOT NULL) AS session
    WHERE review.org_id = session.org_id AND review.session_id = session.id AND review.type = 'onetime'
      AND review.status IN ('PENDING', 'APPROVED')`);
}
