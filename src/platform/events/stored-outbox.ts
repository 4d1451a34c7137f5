import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type PublishedEvent, subjectOf } from './event';
import { Outbox } from './outbox';

/** Stores events in the table `outbox`, where a trigger queues a delivery for each subscription. */
@Injectable()
export class StoredOutbox extends Outbox {
  async add(db: EntityManager, event: PublishedEvent): Promise<void> {
    await db.query(`SELECT leave_event($1, $2, coalesce($3, gen_random_uuid()), $4)`, [
      event.orgId,
      event.type,
      subjectOf(event),
      JSON.stringify(event.data),
    ]);
  }
}
