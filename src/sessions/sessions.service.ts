import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { EventType } from '../gate/ports/session-recorder';
import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import type { ReviewView } from '../reviews/review.dto';
import { ReviewsService } from '../reviews/reviews.service';
import { evidenceFile } from '../session-evidence/files/evidence-file';
import { PublishedKeys } from '../keys/published-keys';
import { FileSeal } from '../session-evidence/files/file-seal';
import { SessionEvidences } from '../session-evidence/files/session-evidence';
import { JournalingSessionRecorder } from '../recording/journaling-session-recorder';
import type { EventPiece } from '../recording-format/event-codec';
import { readAhead } from '../recording-format/read-ahead';
import { RecordingReader } from '../recording/recording-reader';
import { mustBeKept } from '../recording/recording-removed';
import { type RenderedStream, renderEventStream } from '../session-reading/rendering/event-stream';
import { type SessionFile, fileNameOf, sessionFile } from '../session-reading/rendering/session-file';
import type { SessionQuery } from '../session-reading/rendering/session-query';
import { type SessionHead, sessionHead } from './session-head';
import { Session } from '../recording/session.entity';

/** How one session is answered: its head with the recording where asked for, or the recording as a file. */
export type SessionAnswer =
  | {
      readonly kind: 'session';
      readonly head: SessionHead;
      readonly storedSize: number;
      readonly events?: RenderedStream;
    }
  | { readonly kind: 'file'; readonly file: SessionFile };

/** Read while one is sent. */
const CHUNKS_AHEAD = 3;

/** What a principal may see of a session: all, all but the recording, or nothing. */
type Sight = 'all' | 'request';

interface Seen {
  readonly session: Session;
  readonly review: ReviewView | null;
  readonly sight: Sight;
}

@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly recordings: RecordingReader,
    private readonly recorder: JournalingSessionRecorder,
    private readonly reviews: ReviewsService,
    private readonly fileSeal: FileSeal,
    private readonly keys: PublishedKeys,
    private readonly evidences: SessionEvidences,
  ) {}

  async get(actor: Principal, id: string, query: SessionQuery): Promise<SessionAnswer> {
    await this.recorder.flush(id);
    const { session, review, sight } = await this.visible(actor, id);
    const wantsEvents = query.withEvents || query.extension !== undefined;
    if (wantsEvents) mustSeeAll(sight);
    if (wantsEvents) mustBeKept(session);
    if (query.parse === 'raw-queries' && session.connectionSubtype !== 'postgres') {
      throw new AppError('unprocessable', 'event_stream=raw-queries is available for postgres sessions only');
    }
    if (query.extension !== undefined) {
      const isEvidence = query.extension === 'evidence';
      const file = isEvidence ? await this.evidence(actor, session, review) : this.file(session, query);
      return { kind: 'file', file };
    }
    const head = sessionHead(session, review, {
      script: query.withScript,
      details: actor.role !== 'regular',
    });
    if (!wantsEvents) return { kind: 'session', head, storedSize: session.eventSize };
    return {
      kind: 'session',
      head,
      storedSize: session.eventSize,
      events: renderEventStream(this.eventsFor(session, query), query.parse),
    };
  }

  /**
   * The session, for those who may know of it.
   * @throws AppError `not_found` for everyone else: a stranger learns nothing, not even that it exists.
   */
  async visible(actor: Principal, id: string): Promise<Seen> {
    const session = await this.sessions.findOneBy({ orgId: actor.orgId, id });
    const review = session === null ? null : await this.reviews.ofSession(actor.orgId, session);
    const sight = session === null ? undefined : await this.sightOf(actor, session, review);
    if (session === null || sight === undefined)
      throw new AppError('not_found', 'there is no session with this id');
    return { session, review, sight };
  }

  /**
   * The session, for those who may see its recording.
   * @throws AppError `not_found`, `forbidden`
   */
  async withRecording(actor: Principal, id: string): Promise<Session> {
    const { session, sight } = await this.visible(actor, id);
    mustSeeAll(sight);
    return session;
  }

  private async sightOf(
    actor: Principal,
    session: Session,
    review: ReviewView | null,
  ): Promise<Sight | undefined> {
    if (mayReadRecording(actor, session)) return 'all';
    const isAsked = review !== null && (await this.reviews.names(actor.orgId, review.id, actor.groups));
    return isAsked ? 'request' : undefined;
  }

  private async evidence(
    actor: Principal,
    session: Session,
    review: ReviewView | null,
  ): Promise<SessionFile> {
    const evidence = await this.evidences.of(actor, session, review);
    const stored = this.recordings.chunks(session, 0, undefined, session.chunkCount);
    const chunks = readAhead(stored, async (chunk) => chunk, CHUNKS_AHEAD);
    const { id: keyId, key } = this.keys.current;
    return {
      contentType: 'application/x-ndjson',
      fileName: fileNameOf(session, 'evidence'),
      content: evidenceFile(session, evidence, chunks, { seal: this.fileSeal, keyId, key }),
    };
  }

  private file(session: Session, query: SessionQuery): SessionFile {
    return sessionFile(session, this.events(session, query.events ?? ['o', 'e']), query);
  }

  /** Values are no text of a query. */
  private async *eventsFor(session: Session, query: SessionQuery): AsyncGenerator<EventPiece[]> {
    const events = this.events(session, eventTypes(query));
    if (query.parse !== 'raw-queries') return yield* events;
    for await (const pieces of events) yield pieces.filter(({ values }) => !values);
  }

  /** All pieces of an event bear its type, so it is left out whole or not at all. */
  private async *events(session: Session, types: readonly EventType[]): AsyncGenerator<EventPiece[]> {
    for await (const pieces of this.recordings.batches(session)) {
      yield pieces.filter(({ type }) => types.includes(type));
    }
  }
}

function mustSeeAll(sight: Sight): void {
  if (sight !== 'all') throw new AppError('forbidden', 'reviewers see the request, not the recording');
}

/** A machine and a person of one name are two. */
export function isOwner(actor: Principal, session: Session): boolean {
  return session.userSubject === actor.subject && session.identityType === actor.identityType;
}

export function mayReadRecording(actor: Principal, session: Session): boolean {
  return isOwner(actor, session) || actor.role !== 'regular';
}

/** All for triples, the output for a joined parse, the client's messages for queries. */
function eventTypes(query: SessionQuery): readonly EventType[] {
  switch (query.parse) {
    case 'raw-queries':
      return query.events === undefined || query.events.includes('i') ? ['i'] : [];
    case 'utf8':
    case 'base64':
      return query.events ?? ['o', 'e'];
    case undefined:
      return query.events ?? ['i', 'o', 'e'];
  }
}
