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
 * Number of chunks that are decompressed in advance, so that the next query can start while the last chunks
 * of the previous query are still in use.
 */
const AHEAD = 3;
const LAST = 2 ** 31 - 1;

/**
 * Reads recordings from PostgreSQL and from object storage, by primary key range. It reads a few chunks at a
 * time, so that long recordings need no more memory than short ones.
 */
@Injectable()
export class RecordingReader {
  constructor(
    @InjectRepository(SessionChunk) private readonly stored: Repository<SessionChunk>,
    private readonly archived: ArchivedChunks,
  ) {}

  /** Yields the events of a recording in order, in the pieces in which they are stored. */
  async *pieces(session: SessionKey): AsyncGenerator<EventPiece> {
    for await (const pieces of this.batches(session)) yield* pieces;
  }

  /**
   * Like `pieces`, but yields all pieces of a chunk together, because one turn of the event loop for each
   * small piece is slow.
   * @param first chunks that were read with the session; used if they are the whole recording
   */
  batches(session: SessionKey, first?: FirstChunks): AsyncGenerator<EventPiece[]> {
    return first?.complete === true
      ? decoded(first.payloads)
      : readAhead(this.chunks(session), (chunk) => decodePieces(chunk.payload), AHEAD);
  }

  /**
   * Yields the chunks that are stored so far, in order. Looks in object storage for chunks that are missing
   * in PostgreSQL, because a recording may be moved there while it is read.
   * @throws RecordingRemoved after the chunks that still existed, because a recording that is removed while
   * it is read must not look complete
   * @throws RecordingIncomplete before the first gap, or if the last chunks are missing
   * @throws AppError `unavailable` while object storage cannot be read
   */
  async *chunks(session: SessionKey, range: ReadingRange = {}): AsyncGenerator<ChunkFacts> {
    const { after = 0, atOnce = CHUNKS_AT_ONCE, upTo = LAST, asFound = false } = range;
    let last = after;
    /** Number of chunks according to the row, as it was before the latest query of chunks. */
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
      // Object storage does not have the missing chunks either; `asFound` continues after the gap.
      if (asFound && !isNext) yield* found;
      if (asFound) last = found.at(-1)?.seq ?? last;
      if (asFound ? found.length < atOnce : last >= Math.min(chunkCount, upTo)) return mustBeKept(kept);
      mustBeKept(kept);
      // Queries once more before it fails, because a missing chunk may have been stored meanwhile.
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
      // Objects that retention removed meanwhile look like a storage fault, so the row is checked.
      if (error instanceof AppError) mustBeKept(await this.archived.whereabouts(session));
      throw error;
    }
  }
}

async function* decoded(payloads: readonly Buffer[]): AsyncGenerator<EventPiece[]> {
  for (const payload of payloads) yield await decodePieces(payload);
}
