import { DomainEvent } from '../database/domain-events';
import type { EventPerson } from '../events/event';
import type { SessionKey } from '../recording/session.entity';

/** A session that ends although its gateway does not end it: it waits, or nobody runs it any more. */
export interface ClosedSession extends SessionKey {
  /** A sentence for its recording. */
  readonly reason: string;
  /** Who asked for it; absent: it comes by itself. */
  readonly by?: EventPerson | undefined;
}

/** Published before the session is locked: what is locked before sessions is locked now (src/database/README.md). */
export const sessionClosing = new DomainEvent<SessionKey>('session closing', ['access']);

/** Published once it is closed, in the same transaction: what was asked about it ends with it. */
export const sessionClosed = new DomainEvent<ClosedSession>('session closed', ['access']);
