import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What of a session is recorded, how durably, and for how long it is kept: by connection, and by legal hold. */
export class SessionLife1764500000000 implements MigrationInterface {
  name = 'SessionLife1764500000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE connections
        ADD COLUMN recording      text NOT NULL DEFAULT 'on',
        ADD COLUMN recording_mode text,
        ADD COLUMN retention_days integer,
        ADD CONSTRAINT connections_recording_check CHECK (recording IN ('on', 'input-only')),
        ADD CONSTRAINT connections_recording_mode_check CHECK (recording_mode IN ('journal', 'journal+fsync', 'store')),
        ADD CONSTRAINT connections_retention_check CHECK (retention_days BETWEEN 1 AND 36500);

      -- Not validated: all that is there has null, and a look at every row would keep sessions waiting.
      ALTER TABLE sessions
        ADD COLUMN retention_days integer,
        ADD COLUMN held_at        timestamptz,
        ADD COLUMN held_by        text,
        ADD COLUMN hold_reason    text,
        ADD CONSTRAINT sessions_retention_check CHECK (retention_days BETWEEN 1 AND 36500) NOT VALID,
        ADD CONSTRAINT sessions_hold_check CHECK (
          (held_at IS NULL) = (held_by IS NULL) AND (held_at IS NOT NULL OR hold_reason IS NULL)
        ) NOT VALID;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE sessions
        DROP COLUMN hold_reason, DROP COLUMN held_by, DROP COLUMN held_at, DROP COLUMN retention_days;
      ALTER TABLE connections
        DROP COLUMN retention_days, DROP COLUMN recording_mode, DROP COLUMN recording;
    `);
  }
}
