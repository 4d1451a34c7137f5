import type { EntityManager } from 'typeorm';
import type { PublishedEvent } from './event';

/** Door: where whoever changes something leaves word of it. */
export abstract class Outbox {
  /**
   * Leaves the event inside the caller's transaction: it is told, at least once, if that is committed, and never
   * otherwise. Costs one statement, and keeps nothing that nobody subscribed to. Events of one session (else of one
   * review, else of one credential) are delivered in the order of these calls, given that the transactions are one
   * after the other, as a lock on the row that changes sees to.
   */
  abstract add(db: EntityManager, event: PublishedEvent): Promise<void>;
}
