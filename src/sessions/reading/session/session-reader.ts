import { Injectable } from '@nestjs/common';
import type { TrailEventType } from '../../../gate/ports/session-recorder';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import type { EventPiece } from '../../format/event-codec';
import { targetKind, targetKinds } from '../../../targets/kinds';
import { LiveSessions } from '../../recording/live-sessions';
import { RecordingReader } from '../../recording/recording-reader';
import { mustBeKept } from '../../recording/recording-removed';
import type { SessionRow } from '../../recording/session.entity';
import type { FirstChunks } from '../../recording/stored-sessions';
import { EvidenceFiles } from '../../evidence/files/evidence-files';
import { type SessionHead, sessionHead } from '../../list/session-head';
import { VisibleSessions, assertReadable } from '../../list/visible-sessions';
import { type RenderedStream, renderEventStream } from '../rendering/event-stream';
import { isNewSize } from '../rendering/asciicast';
import { type SessionFile, fileNameOf, sessionFile } from '../rendering/session-file';
import type { ReadingOptions } from '../rendering/session-query';

/** Answer for one session: its fields, with the recording if requested; or the recording as a file. */
export type SessionAnswer =
  | {
      readonly kind: 'session';
      readonly head: SessionHead;
      readonly storedSize: number;
      readonly events?: RenderedStream;
    }
  | { readonly kind: 'file'; readonly file: SessionFile };

/** Reads one session, as JSON or as a file. */
@Injectable()
export class SessionReader {
  constructor(
    private readonly sessions: VisibleSessions,
    private readonly live: LiveSessions,
    private readonly recordings: RecordingReader,
    private readonly evidence: EvidenceFiles,
  ) {}

  /**
   * @throws AppError `not_found`: the session does not exist, or its recording was removed; `forbidden` to
   * reviewers who request the recording; `unprocessable` if `raw-queries` is requested of a session without
   * queries.
   */
  async read(actor: Principal, id: string, query: ReadingOptions): Promise<SessionAnswer> {
    await this.live.flush(id);
    const wantsEvents = query.withEvents || query.extension !== undefined;
    const { session, review, sight, first } = await this.sessions.find(actor, id, wantsEvents);
    if (wantsEvents) assertReadable(sight);
    if (wantsEvents) mustBeKept(session);
    if (query.parse === 'raw-queries') requireQueries(session);
    if (query.extension === 'evidence') {
      const content = await this.evidence.of(actor, session);
      const fileName = fileNameOf(session, 'evidence');
      return { kind: 'file', file: { contentType: 'application/x-ndjson', fileName, content } };
    }
    if (query.extension !== undefined) return { kind: 'file', file: this.file(session, query, first) };
    const head = sessionHead(session, review, {
      script: query.withScript,
      details: actor.role !== 'regular',
    });
    if (!wantsEvents) return { kind: 'session', head, storedSize: session.eventSize };
    return {
      kind: 'session',
      head,
      storedSize: session.eventSize,
      events: renderEventStream(this.eventsFor(session, query, first), query.parse),
    };
  }

  private file(session: SessionRow, query: ReadingOptions, first?: FirstChunks): SessionFile {
    const types = query.events ?? ['o', 'e'];
    if (query.extension !== 'cast') return sessionFile(session, this.events(session, types, first), query);
    // New sizes of a terminal are inputs, and a player needs them whatever is asked for.
    const played = only(
      this.recordings.batches(session, first),
      (piece) => types.includes(piece.type) || isNewSize(session, piece),
    );
    return sessionFile(session, played, query);
  }

  /** Reads the requested events. `raw-queries` leaves out parameter values, which are no part of a query. */
  private eventsFor(
    session: SessionRow,
    query: ReadingOptions,
    first?: FirstChunks,
  ): AsyncGenerator<EventPiece[]> {
    const events = this.events(session, eventTypes(query), first);
    return query.parse === 'raw-queries' ? only(events, ({ values }) => !values) : events;
  }

  /** Reads the events of the given types. All pieces of an event have its type, so no event is cut. */
  private events(
    session: SessionRow,
    types: readonly TrailEventType[],
    first: FirstChunks | undefined,
  ): AsyncGenerator<EventPiece[]> {
    const events = this.recordings.batches(session, first);
    return types === ALL_TYPES ? events : only(events, ({ type }) => types.includes(type));
  }
}

function requireQueries({ connectionSubtype }: SessionRow): void {
  if (targetKind(connectionSubtype)?.hasQueries === true) return;
  const subtypes = targetKinds.filter(({ hasQueries }) => hasQueries).map(({ subtype }) => subtype);
  throw new AppError(
    'unprocessable',
    `event_stream=raw-queries is available for ${subtypes.join(' and ')} sessions only`,
  );
}

const ALL_TYPES: readonly TrailEventType[] = ['i', 'o', 'e'];

async function* only(
  batches: AsyncGenerator<EventPiece[]>,
  isWanted: (piece: EventPiece) => boolean,
): AsyncGenerator<EventPiece[]> {
  for await (const pieces of batches) yield pieces.filter(isWanted);
}

/** Returns the types to read. Default: all for triples, output for `utf8` and `base64`, input for queries. */
function eventTypes(query: ReadingOptions): readonly TrailEventType[] {
  switch (query.parse) {
    case 'raw-queries':
      return query.events === undefined || query.events.includes('i') ? ['i'] : [];
    case 'utf8':
    case 'base64':
      return query.events ?? ['o', 'e'];
    case undefined:
      return query.events ?? ALL_TYPES;
  }
}
