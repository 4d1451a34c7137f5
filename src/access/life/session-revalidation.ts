import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Principals } from '../../identity/auth/users/principals';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { messageOf } from '../../kernel/app-error';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import type { Principal } from '../../kernel/principal';
import { type LiveSession, LiveSessions } from '../../sessions/recording/live-sessions';
import { AccessRevalidator, type HeldAccess, type Loss } from './access-revalidator';
import { CONNECTION_DELETED } from './connection-deletions';
import { entriesAtMost } from '../../kernel/runtime/entries-at-most';

const MISSED_EVERY_MS = 1_000;
/**
 * Time for which a changed connection is remembered. It is longer than the time between the access decision
 * about a session and the insertion of the session's row.
 */
const CHANGE_REMEMBERED_MS = 60_000;
/** The id in a change that concerns the whole table, such as TRUNCATE. */
const ALL = '';

interface Watched {
  readonly session: LiveSession;
  /** Ends the session. @param reason a sentence for the recording */
  readonly cut: (reason: string) => void;
}

/**
 * Ends the sessions of people who may not act any more, or who lost access because they left a group or a
 * group was removed from the connection (contract: within 5 s). Also ends client sessions of deleted
 * connections. The change feed reports these changes on all gateways. While the feed is down, and after a
 * failed check, sessions are checked every second.
 */
@Injectable()
export class SessionRevalidation implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(SessionRevalidation.name);
  private readonly watched = new Set<Watched>();
  /** Sessions whose last check failed, so that they have to be checked again. */
  private readonly unsure = new Set<Watched>();
  /** Connections that changed recently. Sessions that begin now may have been admitted before the change. */
  private readonly changed = new LRUCache<string, true>({
    ...entriesAtMost(10_000),
    ttl: CHANGE_REMEMBERED_MS,
  });
  private readonly task = new PeriodicTask({
    everyMs: MISSED_EVERY_MS,
    work: () => this.revalidateMissed(),
    onError: (message) => this.warn(message),
  });

  constructor(
    live: LiveSessions,
    private readonly principals: Principals,
    private readonly revalidator: AccessRevalidator,
    private readonly feed: ChangeFeed,
  ) {
    live.observe({
      starting: (session, cut) => this.watch({ session, cut }),
      // Check now, because the session has missed changes since its owner was identified.
      started: (session) =>
        void this.revalidate(
          this.which((watched) => watched.session === session),
          this.changed.has(session.target.id) || this.changed.has(ALL),
        ),
    });
    feed.subscribe({
      changed: (table, id) => {
        if (table === 'ssh_public_keys')
          void this.revalidate(
            this.which(({ session: { principal } }) => {
              const { publicKeyId } = principal;
              return publicKeyId !== undefined && isMeant(publicKeyId, id);
            }),
          );
        if (table === 'users' || table === 'user_groups' || table === 'api_keys')
          void this.revalidate(this.which(({ session }) => isMeant(session.principal.userId, id)));
        if (table !== 'connections') return;
        this.changed.set(id, true);
        void this.revalidate(
          this.which(({ session }) => isMeant(session.target.id, id)),
          true,
        );
      },
      reset: () => void this.revalidate([...this.watched], true),
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /**
   * Checks sessions whose last check failed, and all sessions while the feed is down. Also checks sessions of
   * machines, because no event reports that an API key expired.
   */
  async revalidateMissed(): Promise<void> {
    const isUnsure = (watched: Watched): boolean => !this.feed.live || this.unsure.has(watched);
    const machines = this.which((watched) => !isUnsure(watched) && mayRunOut(watched));
    await this.revalidate(this.which(isUnsure), true);
    await this.revalidate(machines);
  }

  private watch(watched: Watched): () => void {
    this.watched.add(watched);
    return () => {
      this.watched.delete(watched);
      this.unsure.delete(watched);
    };
  }

  private which(holds: (watched: Watched) => boolean): Watched[] {
    return [...this.watched].filter(holds);
  }

  /** @param mayBeClosed Whether the connections may have lost access groups, or may use other roles now. */
  private async revalidate(sessions: readonly Watched[], mayBeClosed = false): Promise<void> {
    const current = new Map<string, Promise<Principal>>();
    for (const watched of sessions) {
      const { principal } = watched.session;
      const who = principal.publicKeyId ?? principal.userId;
      const known = current.get(who) ?? this.principals.current(principal);
      current.set(who, known);
      try {
        const loss = await this.revalidator.revalidate(heldIn(watched), known, mayBeClosed);
        this.unsure.delete(watched);
        if (loss !== undefined) watched.cut(reasonOf(loss));
      } catch (error) {
        if (this.watched.has(watched)) this.unsure.add(watched);
        this.warn(messageOf(error));
      }
    }
  }

  private warn(message: string): void {
    this.log.warn(`The access of a live session could not be checked again: ${message}`);
  }
}

function reasonOf(loss: Loss): string {
  return loss.kind === 'connection_deleted' ? CONNECTION_DELETED : `The session was ended: ${loss.message}.`;
}

function isMeant(id: string, changed: string): boolean {
  return changed === ALL || changed === id;
}

/** Returns the access of the session. A refused session keeps a target whose role is not decided. */
function heldIn({ session }: Watched): HeldAccess {
  return { ...session, isRoleDecided: session.target.asPerson === undefined };
}

/** Whether the session ends when the owner's API key expires. A running script may finish. */
function mayRunOut({ session: { principal, verb } }: Watched): boolean {
  return principal.identityType === 'machine' && verb === 'connect';
}
