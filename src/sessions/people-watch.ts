import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Principals } from '../auth/principals';
import { ChangeFeed } from '../database/change-feed';
import { messageOf } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { type LiveSession, LiveSessions } from '../recording/live-sessions';
import { LostAccess } from './lost-access';

const POLL_EVERY_MS = 1_000;

interface Visit {
  readonly of: LiveSession;
  readonly cut: (reason: string) => void;
}

/**
 * Cuts the visits of people who may no longer act, or who lost the group that let them in (contract: within 5 s). Whoever
 * changed that, and on whichever gateway, it is heard of; what could not be heard of, or looked at, is looked for.
 */
@Injectable()
export class PeopleWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(PeopleWatch.name);
  private readonly visits = new Set<Visit>();
  /** Those that have to be looked at again: the last look failed. */
  private readonly unsure = new Set<Visit>();
  private isLooking = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly principals: Principals,
    private readonly lost: LostAccess,
    private readonly feed: ChangeFeed,
    live: LiveSessions,
  ) {
    live.observe({
      starting: (session, end) => this.watch(session, end),
      started: (session) => void this.lookAt(session),
    });
    feed.subscribe({
      changed: (table, id) => {
        if (table === 'users' || table === 'user_groups' || table === 'api_keys')
          void this.look([...this.visits].filter(({ of }) => of.principal.userId === id));
      },
      reset: () => void this.look([...this.visits]),
    });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.lookForMissed(), POLL_EVERY_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Returns how to stop watching. */
  watch(of: LiveSession, cut: (reason: string) => void): () => void {
    const visit = { of, cut };
    this.visits.add(visit);
    return () => {
      this.visits.delete(visit);
      this.unsure.delete(visit);
    };
  }

  /** For a visit whose session has just begun: what changed since its owner was identified was not heard of. */
  async lookAt(of: LiveSession): Promise<void> {
    await this.look([...this.visits].filter((visit) => visit.of === of));
  }

  /**
   * Called every second: looks for what could not be heard of, or could not be read when it was; and for API keys
   * that have expired, of which nobody tells.
   */
  async lookForMissed(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    await this.look(
      [...this.visits].filter((visit) => !this.feed.live || this.unsure.has(visit) || mayRunOut(visit)),
    );
    this.isLooking = false;
  }

  private async look(visits: readonly Visit[]): Promise<void> {
    const current = new Map<string, Promise<Principal>>();
    for (const visit of visits) {
      const { userId } = visit.of.principal;
      const known = current.get(userId) ?? this.principals.current(visit.of.principal);
      current.set(userId, known);
      try {
        const loss = await this.lost.of(visit.of, known);
        this.unsure.delete(visit);
        if (loss !== undefined) visit.cut(`The session was ended: ${loss.message}.`);
      } catch (error) {
        if (this.visits.has(visit)) this.unsure.add(visit);
        this.log.warn(`A session that runs could not be looked at: ${messageOf(error)}`);
      }
    }
  }
}

/** A script that runs may finish: an API key that expires reaches the next one. */
function mayRunOut({ of: { principal, verb } }: Visit): boolean {
  return principal.identityType === 'machine' && verb === 'connect';
}
