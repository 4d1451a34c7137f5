import { DomainEvent } from '../../platform/database/feed/domain-events';
import type { EventPerson } from '../../platform/events/event';
import type { SessionKey } from '../recording/session.entity';

/** A session that no gateway runs any more, or that waits, and is ended all the same. */
export interface ClosedSession extends SessionKey {
  /** The last sentence of its recording. */
  readonly reason: string;
  /** Person who requested the end; absent: the gateway does it by itself. */
  readonly by?: EventPerson | undefined;
}

/**
 * Published before the session is locked. Listeners lock what must be locked
 * before sessions (src/platform/database/README.md).
 */
export const sessionClosing = new DomainEvent<SessionKey>('session closing', ['access']);

/** Published after the session was closed, in the same transaction. Listeners end its review. */
export const sessionClosed = new DomainEvent<ClosedSession>('session closed', ['access']);
