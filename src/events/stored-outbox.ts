import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ToldEvent, subjectOf } from './event';
import { Outbox } from './outbox';

/** Leaves events in the table `outbox`, where a trigger queues them for each subscription that wants them. */
@Injectable()
export class StoredOutbox extends Outbox {
  async add(db: EntityManager, event: ToldEvent): Promise<void> {
    await db.query(
      `INSERT INTO outbox (org_id, type, subject, data)
       SELECT $1::uuid, $2::text, coalesce($3::uuid, gen_random_uuid()), $4::jsonb WHERE event_wanted($1, $2)`,
      [event.orgId, event.type, subjectOf(event), JSON.stringify(event.data)],
    );
  }
}
