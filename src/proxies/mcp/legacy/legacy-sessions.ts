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
  /** Memory for the events that their streams keep. */
  readonly memory = EventMemory.ofProcess();
  private readonly open = new Map<string, LegacyClientSession>();

  /** @param signIns whose pages clients are asked to open; undefined where there are none */
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
   * Undefined: there is none, or it belongs to another principal, another
   * client of that person, or another connection.
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
 * A user's permission for one client does not extend beyond that client's visits: another client must not
 * have its streams there.
 */
function isSame(owner: Principal, { userId, orgId, authorizationId }: Principal): boolean {
  return owner.userId === userId && owner.orgId === orgId && owner.authorizationId === authorizationId;
}
