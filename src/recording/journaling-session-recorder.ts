import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository } from 'typeorm';
import { v7 as uuid7 } from 'uuid';
import { Settings } from '../config/settings';
import { ChangeFeed } from '../database/change-feed';
import { CHECK_VIOLATION, brokenConstraint } from '../database/constraint';
import { type SessionEntry, SessionRecorder, type SessionTrail } from '../gate/ports/session-recorder';
import type { Target } from '../gate/ports/target-directory';
import { AppError, messageOf } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { Budget } from './budget';
import { Journal } from '../journal/journal';
import { journalsIn } from '../journal/journal-folder';
import type { Begun, Recording } from './event-ways';
import { type Manner, RecordedTrail } from './recorded-trail';
import { probeJournal } from '../journal/journal-probe';
import { RecordingStore } from './recording-store';
import { Shipper } from './shipper';
import { LedgerWriter } from '../session-ledger/ledger-writer';
import { atTime } from './at-time';
import { PeopleWatch } from '../sessions/people-watch';
import { Session, type SessionKey } from './session.entity';

/** Opens recordings, keeps what they are made with, and cuts the sessions that somebody ended, or whose people may no longer act. */
@Injectable()
export class JournalingSessionRecorder extends SessionRecorder implements OnApplicationShutdown {
  private readonly log = new Logger(JournalingSessionRecorder.name);
  private readonly live = new Map<string, RecordedTrail>();
  private readonly recording: Recording;
  private isLooking = false;
  private owesLook = false;

  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    store: RecordingStore,
    shipper: Shipper,
    private readonly people: PeopleWatch,
    private readonly feed: ChangeFeed,
    private readonly settings: Settings,
    private readonly ledger: LedgerWriter,
  ) {
    super();
    const journal = new Journal(join(journalsIn(settings), feed.gatewayId), feed.gatewayId);
    const budget = new Budget(settings.RECORDING_BUFFER_MB * 1024 * 1024);
    this.recording = { store, shipper, journal, budget };
    feed.subscribe({
      changed: (table, id) => {
        if (table === 'sessions' && this.holds(id)) void this.obeyStops();
      },
      reset: () => void this.obeyStops(),
    });
  }

  async begin(entry: SessionEntry): Promise<SessionTrail> {
    const { principal } = entry;
    // The id tells the month in whose partition the recording lies.
    const key = { orgId: principal.orgId, id: uuid7() };
    const forget = (): void => {
      cancel();
      unwatch();
      this.live.delete(key.id);
      this.ledger.lookSoon();
    };
    const manner = this.mannerOf(entry.target);
    const trail = new RecordedTrail(key, principal, manner, this.recording, forget);
    const cancel = atTime(
      entry.until,
      () => trail.abort('The access ended.'),
      () => this.feed.databaseNow(),
    );
    const unwatch = this.people.watch(entry, (reason) => trail.abort(reason));
    // Before its row is there to be changed: whoever asks for the end of the session is heard from the first moment.
    this.live.set(key.id, trail);
    await this.insert(key, entry).catch((error: unknown) => {
      forget();
      throw brokenConstraint(error, CHECK_VIOLATION) === 'sessions_credential_check' ? hasEnded() : error;
    });
    // What the user may do may have changed after the caller was identified, when this session was not live yet.
    void this.people.lookAt(entry);
    return trail;
  }

  /**
   * Goes on with a recording whose session waited: its row says already that this gateway runs it.
   * @param over Called when the session is over.
   */
  resume(
    key: SessionKey,
    principal: Principal,
    target: Target,
    begun: Begun,
    over: () => Promise<void>,
  ): SessionTrail {
    const visit = { principal, target, verb: 'exec' } as const;
    const forget = (): Promise<void> => {
      unwatch();
      this.live.delete(key.id);
      this.ledger.lookSoon();
      return over();
    };
    const trail = new RecordedTrail(key, principal, this.mannerOf(target), this.recording, forget, begun);
    const unwatch = this.people.watch(visit, (reason) => trail.abort(reason));
    this.live.set(key.id, trail);
    // What was asked for, or changed, before this trail was live has been heard of in vain.
    void this.obeyStops();
    void this.people.lookAt(visit);
    return trail;
  }

  private mannerOf({ recording: { mode, scope } }: Target): Manner {
    return { mode: mode ?? this.settings.RECORDING_MODE, scope };
  }

  private async insert(key: SessionKey, entry: SessionEntry): Promise<void> {
    const { principal, target } = entry;
    await this.sessions.insert({
      ...key,
      gatewayId: this.feed.gatewayId,
      status: 'open',
      verb: entry.verb,
      type: target.type,
      connectionId: target.id,
      connectionName: target.name,
      connectionSubtype: target.subtype,
      connectionTags: target.tags,
      resourceName: target.resourceName,
      retentionDays: target.recording.retentionDays,
      credentialId: entry.credentialId,
      identityType: principal.identityType,
      userSubject: principal.subject,
      userEmail: principal.email,
      userName: principal.name,
      script: entry.script,
      scriptSize: Buffer.byteLength(entry.script ?? ''),
      sessionBatchId: entry.batchId,
      correlationId: entry.correlationId,
      reason: entry.reason,
      labels: { ...entry.labels },
      metadata: { ...entry.metadata } as never,
    });
  }

  /** Stores what there is to be stored; what cannot be stays in the journal, for the next start. */
  async onApplicationShutdown(): Promise<void> {
    const { shipper, journal, store } = this.recording;
    await shipper.stop();
    await journal.close();
    await store.end();
  }

  fault(): string | undefined {
    return this.recording.journal.fault;
  }

  tryOut(): Promise<string | undefined> {
    return probeJournal(journalsIn(this.settings));
  }

  /** To be called now and then: a journal that could not be written is tried again. */
  async probe(): Promise<void> {
    if (this.fault() !== undefined) await this.recording.journal.probe();
  }

  /** Whoever reads a session that runs here reads what was recorded until now, if the database can be reached. */
  async flush(sessionId: string): Promise<void> {
    await this.live
      .get(sessionId)
      ?.flush()
      .catch(() => undefined);
  }

  /** Whether the session runs here. */
  holds(sessionId: string): boolean {
    return this.live.has(sessionId);
  }

  /** To be called every second: looks for what could not be heard of, or could not be read when it was. */
  async lookForMissedStops(): Promise<void> {
    if (!this.feed.live || this.owesLook) await this.obeyStops();
    await this.people.lookForMissed();
  }

  /** Stops all that somebody asked to be ended and that runs here. One look at a time, however many are asked for. */
  private async obeyStops(): Promise<void> {
    this.owesLook = true;
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      while (this.owesLook) {
        this.owesLook = false;
        for (const { id, stopReason } of await this.stopped()) this.live.get(id)?.abort(stopReason ?? '');
      }
    } catch (error) {
      this.owesLook = true;
      this.log.warn(`Sessions that are to end could not be looked for: ${messageOf(error)}`);
    }
    this.isLooking = false;
  }

  private async stopped(): Promise<Session[]> {
    if (this.live.size === 0) return [];
    const trails = [...this.live.values()];
    return this.sessions.find({
      select: { id: true, stopReason: true },
      where: {
        orgId: In([...new Set(trails.map((trail) => trail.principal.orgId))]),
        gatewayId: this.feed.gatewayId,
        status: Not('done'),
        stopReason: Not(IsNull()),
      },
    });
  }
}

/** The database looks at the credential as it adds the session's row: it may have ended since its owner signed in. */
function hasEnded(): AppError {
  return new AppError('unauthenticated', 'the credential was revoked or has expired');
}
