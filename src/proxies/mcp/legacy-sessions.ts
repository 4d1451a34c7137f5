import { Injectable } from '@nestjs/common';
import type { Principal } from '../../kernel/principal';
import type { LegacyClientSession } from './legacy-session';

/** The sessions of legacy clients in this process, by id. */
@Injectable()
export class LegacySessions {
  private readonly open = new Map<string, LegacyClientSession>();

  add(session: LegacyClientSession): void {
    this.open.set(session.id, session);
    session.visit.ended.addEventListener('abort', () => this.open.delete(session.id), { once: true });
  }

  /** Undefined: there is none, or it belongs to another principal or connection. */
  find(id: string, principal: Principal, connection: string): LegacyClientSession | undefined {
    const session = this.open.get(id);
    if (session === undefined) return undefined;
    const { target } = session.visit.session;
    const isOwn =
      session.principal.userId === principal.userId && session.principal.orgId === principal.orgId;
    return isOwn && (connection === target.name || connection === target.id) ? session : undefined;
  }
}
