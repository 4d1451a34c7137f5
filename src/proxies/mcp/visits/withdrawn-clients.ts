import { Injectable, Logger } from '@nestjs/common';
import { ClientAuthorizations } from '../../../gate/ports/client-authorizations';
import { EXIT_BLOCKED } from '../../../gate/ports/session-end';
import { messageOf } from '../../../kernel/app-error';
import type { Visit } from './visit';
import { Visits } from './visits';

/**
 * Ends the sessions of MCP clients whose authorization has ended. New messages are refused anyway, because
 * the clients' tokens are no longer valid, but open streams would continue.
 */
@Injectable()
export class WithdrawnClients {
  private readonly log = new Logger(WithdrawnClients.name);
  /** Open MCP sessions, by the id of the client's authorization. */
  private readonly visits = new Map<string, Set<Visit>>();

  constructor(
    visits: Visits,
    private readonly authorizations: ClientAuthorizations,
  ) {
    visits.onOpened((visit) => this.watch(visit));
    authorizations.onEnded((id) =>
      id === undefined ? void this.check([...this.visits.keys()]) : this.end(id),
    );
  }

  private watch(visit: Visit): void {
    const { authorizationId: id } = visit.principal;
    if (id === undefined || visit.ended.aborted) return;
    const watched = this.visits.get(id) ?? new Set();
    this.visits.set(id, watched.add(visit));
    const forget = (): void => {
      watched.delete(visit);
      if (watched.size === 0 && this.visits.get(id) === watched) this.visits.delete(id);
    };
    visit.ended.addEventListener('abort', forget, { once: true });
    // Checks at once, because the authorization may have ended after the client's token was checked.
    void this.check([id]);
  }

  /** Ends the MCP sessions of those given authorizations that have ended. Never rejects. */
  private async check(ids: readonly string[]): Promise<void> {
    try {
      for (const id of await this.authorizations.ended(ids)) this.end(id);
    } catch (error) {
      this.log.warn(`Whether MCP clients are still allowed could not be checked: ${messageOf(error)}`);
    }
  }

  private end(id: string): void {
    for (const visit of this.visits.get(id) ?? [])
      void visit.close(EXIT_BLOCKED, 'What this client was allowed has ended.');
  }
}
