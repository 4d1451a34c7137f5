import { DomainEvent } from '../../platform/database/feed/domain-events';
import type { EventPerson } from '../../platform/events/event';
import type { SessionKey } from '../recording/session.entity';

/** A session that was closed while it waited for a review, or after its gateway stopped running it. */
export interface ClosedSession extends SessionKey {
  /** Reason for the end, which is the last sentence of its recording. */
  readonly reason: string;
  /** Person who requested the end; absent if the gateway ended it by itself. */
  readonly by?: EventPerson | undefined;
}

/**
 * Published before the session is locked, so that listeners can first take the locks that must precede the
 * session's lock (src/platform/database/README.md).
 */
export const sessionClosing = new DomainEvent<SessionKey>('session closing', ['access']);

/** Published after the session was closed, in the same transaction. Listeners end its review. */
export const sessionClosed = new DomainEvent<ClosedSession>('session closed', ['access']);
