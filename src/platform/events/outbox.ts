import type { EntityManager } from 'typeorm';
import type { PublishedEvent } from './event';

/** Stores events for webhooks. */
export abstract class Outbox {
  /**
   * Stores the event in the caller's transaction. If the transaction commits, the event is delivered at least
   * once; otherwise never. Costs one statement, and stores nothing if no subscription or export needs the
   * event. Events with the same subject (`subjectOf`) are delivered in the order of these calls, if their
   * transactions are serialized, for example by a lock on the row that changes.
   */
  abstract add(db: EntityManager, event: PublishedEvent): Promise<void>;
}
