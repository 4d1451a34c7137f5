import { Injectable } from '@nestjs/common';
import type { SessionEntry } from '../../gate/ports/session-recorder';
import type { RecordedTrail, SessionOutcome } from './recorded-trail';

/** A session that this gateway runs: its owner, its target and how it was opened. */
export type LiveSession = Pick<SessionEntry, 'principal' | 'target' | 'verb' | 'isGranted'>;

/**
 * Observer of the sessions that this gateway runs. Modules above this one register here, so that the recorder
 * does not import them.
 */
export interface LiveSessionObserver {
  /**
   * Called before the session has a row, or when it continues after a review.
   * @param end Ends the session; its recording contains the reason.
   * @returns a function that is called when the session is over, or waits for a review
   */
  readonly starting: (
    session: LiveSession,
    end: (reason: string) => void,
  ) => (outcome: SessionOutcome) => void;
  /**
   * Called once the row exists. The observer must now check whether the caller's access has changed since the
   * caller was identified, because the observer was not notified of changes before `starting`.
   */
  readonly started?: (session: LiveSession) => void;
}

/** The sessions that this gateway runs. */
@Injectable()
export class LiveSessions {
  private readonly trails = new Map<string, { trail: RecordedTrail; session: LiveSession }>();
  private readonly forget = new Map<string, ((outcome: SessionOutcome) => void)[]>();
  private readonly observers: LiveSessionObserver[] = [];

  observe(observer: LiveSessionObserver): void {
    this.observers.push(observer);
  }

  /** Adds a session before it has a row, so that no request to end it is missed. */
  add(trail: RecordedTrail, session: LiveSession): void {
    const end = (reason: string): void => trail.abort(reason);
    this.forget.set(
      trail.sessionId,
      this.observers.map(({ starting }) => starting(session, end)),
    );
    this.trails.set(trail.sessionId, { trail, session });
  }

  /** Notifies the observers that the session has a row. */
  announce(id: string): void {
    const live = this.trails.get(id);
    if (live !== undefined) for (const { started } of this.observers) started?.(live.session);
  }

  /** Removes the session, and notifies the observers that it is over. Idempotent. */
  remove(id: string): void {
    const outcome = this.trails.get(id)?.trail.outcome ?? 'stopped';
    this.trails.delete(id);
    const forget = this.forget.get(id) ?? [];
    this.forget.delete(id);
    for (const forgetOne of forget) forgetOne(outcome);
  }

  /** Whether this gateway runs the session. */
  has(id: string): boolean {
    return this.trails.has(id);
  }

  /** Ids of the organizations whose sessions this gateway runs. */
  get orgIds(): string[] {
    return [...new Set([...this.trails.values()].map(({ trail }) => trail.principal.orgId))];
  }

  /** Ends the session, if this gateway runs it. */
  abort(id: string, reason: string): void {
    this.trails.get(id)?.trail.abort(reason);
  }

  /** Stores all events recorded so far, if this gateway runs the session and the database is reachable. */
  async flush(id: string): Promise<void> {
    await this.trails
      .get(id)
      ?.trail.flush()
      .catch(() => undefined);
  }
}
