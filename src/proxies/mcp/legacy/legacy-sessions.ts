import { Inject, Injectable, Logger } from '@nestjs/common';
import { UpstreamSignIns } from '../../../gate/ports/upstream-sign-ins';
import { messageOf } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { EventMemory } from './event-memory';
import type { LegacyClientSession } from './legacy-session';

/** The sessions of legacy clients in this process, by id. */
@Injectable()
export class LegacySessions {
  private readonly log = new Logger(LegacySessions.name);
  /** Memory for the events of the streams of all legacy sessions. */
  readonly memory = EventMemory.ofProcess();
  private readonly open = new Map<string, LegacyClientSession>();

  /**
   * @param signIns reports completed sign-in pages to the sessions; undefined if the endpoint has no sign-in
   * pages
   */
  constructor(@Inject(UpstreamSignIns) signIns: Pick<UpstreamSignIns, 'onConnected'> | undefined) {
    signIns?.onConnected((page) => {
      for (const session of this.open.values())
        session
          .completed(page)
          .catch((error: unknown) =>
            this.log.warn(`A client could not be told that a page was completed: ${messageOf(error)}`),
          );
    });
  }

  add(session: LegacyClientSession): void {
    this.open.set(session.id, session);
    session.visit.ended.addEventListener('abort', () => this.open.delete(session.id), { once: true });
  }

  /**
   * Returns undefined if there is no such session, or it belongs to another principal, another client of that
   * person, or another connection.
   */
  find(id: string, principal: Principal, connection: string): LegacyClientSession | undefined {
    const session = this.open.get(id);
    if (session === undefined) return undefined;
    const { target } = session.visit.session;
    const isOwn = isSame(session.principal, principal);
    return isOwn && (connection === target.name || connection === target.id) ? session : undefined;
  }
}

/**
 * Whether the session belongs to this principal and client. A person's permission for one client covers only
 * this client's sessions, so another client must not read their streams.
 */
function isSame(owner: Principal, { userId, orgId, authorizationId }: Principal): boolean {
  return owner.userId === userId && owner.orgId === orgId && owner.authorizationId === authorizationId;
}
