import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which recording has waited longest for its move is read off an index: a scrape asks for it. */
export class TriedMoves1766965000000 implements MigrationInterface {
  name = 'TriedMoves1766965000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE INDEX session_archives_tried_index ON session_archives (noted_at) WHERE state = 'waiting' AND attempts > 0
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX session_archives_tried_index');
  }
}
