import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Between, Repository } from 'typeorm';
import { ArchivedChunks } from '../archive/archived-chunks';
import { AppError } from '../../kernel/app-error';
import { SessionChunk, type SessionKey } from './session.entity';
import { type EventPiece, decodePieces } from '../format/event-codec';
import { readAhead } from '../format/read-ahead';
import { RecordingIncomplete, unbroken } from '../format/recording-incomplete';
import type { ReadingRange } from '../format/reading-range';
import type { ChunkFacts } from '../format/verification';
import { mustBeKept } from './recording-removed';
import type { FirstChunks } from './stored-sessions';

const CHUNKS_AT_ONCE = 8;
/**
 * Chunks that are inflated ahead while one is used. The next query starts
 * while the last chunks of a query are used.
 */
const AHEAD = 3;
const LAST = 2 ** 31 - 1;

/**
 * Reads recordings by primary key range, a few chunks at a time, from PostgreSQL and from object storage:
 * memory does not grow with their length.
 */
@Injectable()
export class RecordingReader {
  constructor(
    @InjectRepository(SessionChunk) private readonly stored: Repository<SessionChunk>,
    private readonly archived: ArchivedChunks,
  ) {}

  /** The events of a recording in order, in pieces as they are stored. */
  async *pieces(session: SessionKey): AsyncGenerator<EventPiece> {
    for await (const pieces of this.batches(session)) yield* pieces;
  }

  /**
   * Like `pieces`, but yields all pieces of a chunk together: one turn of the
   * event loop for each small piece is slow.
   * @param first what was read with the session: the whole recording, where it is short
   */
  batches(session: SessionKey, first?: FirstChunks): AsyncGenerator<EventPiece[]> {
    return first?.complete === true
      ? decoded(first.payloads)
      : readAhead(this.chunks(session), (chunk) => decodePieces(chunk.payload), AHEAD);
  }

  /**
   * The chunks that are stored by now, in order. Where some are missing in PostgreSQL, it is asked whether
   * they are in object storage: a recording that moves while it is read is read on there.
   * @throws RecordingRemoved after the chunks that still existed: a recording that is removed while it is
   * read must not look complete.
   * @throws RecordingIncomplete before the first gap, and where the end is missing
   * @throws AppError `unavailable` while object storage cannot be read
   */
  async *chunks(session: SessionKey, range: ReadingRange = {}): AsyncGenerator<ChunkFacts> {
    const { after = 0, atOnce = CHUNKS_AT_ONCE, upTo = LAST, asFound = false } = range;
    let last = after;
    /** Number of chunks that the row counted before they were read. */
    let counted = 0;
    for (;;) {
      const found = await this.stored.find({
        where: { orgId: session.orgId, sessionId: session.id, seq: Between(last + 1, upTo) },
        order: { seq: 'ASC' },
        take: atOnce,
      });
      const chunks = asFound ? found : unbroken(found, last);
      const [first] = chunks;
      const isNext = first !== undefined && first.seq <= Math.max(last, 0) + 1;
      if (isNext) {
        yield* chunks;
        last = chunks.at(-1)?.seq ?? last;
        if (found.length === atOnce) continue;
      }
      const { archivedUpTo, chunkCount, ...kept } = await this.archived.whereabouts(session);
      const end = Math.min(archivedUpTo ?? 0, upTo);
      if (end > last && end > 0) {
        for await (const chunk of this.archivedChunks(session, { after: last, upTo: end, asFound })) {
          yield chunk;
          last = chunk.seq;
        }
        continue;
      }
      // Some are missing, and nowhere else.
      if (asFound && !isNext) yield* found;
      if (asFound) last = found.at(-1)?.seq ?? last;
      if (asFound ? found.length < atOnce : last >= Math.min(chunkCount, upTo)) return mustBeKept(kept);
      mustBeKept(kept);
      // A chunk that was stored meanwhile is found the next time.
      if (!asFound && !isNext && counted > last) throw new RecordingIncomplete(last + 1);
      counted = chunkCount;
    }
  }

  private async *archivedChunks(
    session: SessionKey,
    range: { readonly after: number; readonly upTo: number; readonly asFound: boolean },
  ): AsyncGenerator<ChunkFacts> {
    try {
      yield* this.archived.read(session.id, range);
    } catch (error) {
      // Objects that retention removed meanwhile look like a fault of the storage.
      if (error instanceof AppError) mustBeKept(await this.archived.whereabouts(session));
      throw error;
    }
  }
}

async function* decoded(payloads: readonly Buffer[]): AsyncGenerator<EventPiece[]> {
  for (const payload of payloads) yield await decodePieces(payload);
}
