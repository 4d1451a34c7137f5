import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Between, Repository } from 'typeorm';
import { SessionChunk, type SessionKey } from '../session.entity';
import { type EventPiece, decodePieces } from './event-codec';
import { readAhead } from './read-ahead';

const CHUNKS_AT_ONCE = 8;
/** Chunks that are inflated while one is used. */
const AHEAD = 3;
const LAST = 2 ** 31 - 1;

/** Reads recordings by primary key range, a few chunks at a time: memory stays flat however long they are. */
@Injectable()
export class RecordingReader {
  constructor(@InjectRepository(SessionChunk) private readonly stored: Repository<SessionChunk>) {}

  /** The events of a recording in order, in pieces as they are stored. */
  async *pieces(session: SessionKey): AsyncGenerator<EventPiece> {
    for await (const pieces of this.batches(session)) yield* pieces;
  }

  /** As `pieces`, the pieces of a chunk at once: a turn of the event loop for each is dear where they are small. */
  batches(session: SessionKey): AsyncGenerator<EventPiece[]> {
    return readAhead(this.chunks(session), (chunk) => decodePieces(chunk.payload), AHEAD);
  }

  /** The chunks after number `after` that are stored by now, up to number `upTo`, in order. */
  async *chunks(session: SessionKey, after = 0, upTo = LAST): AsyncGenerator<SessionChunk> {
    let next: Promise<SessionChunk[]> | undefined = this.some(session, after, upTo);
    while (next !== undefined) {
      const chunks: SessionChunk[] = await next;
      const end = chunks.at(-1);
      next = undefined;
      if (end !== undefined && chunks.length === CHUNKS_AT_ONCE) {
        // The next ones are on their way while these are used.
        next = this.some(session, end.seq, upTo);
        next.catch(() => undefined);
      }
      yield* chunks;
    }
  }

  private some({ orgId, id }: SessionKey, after: number, upTo: number): Promise<SessionChunk[]> {
    return this.stored.find({
      where: { orgId, sessionId: id, seq: Between(after + 1, upTo) },
      order: { seq: 'ASC' },
      take: CHUNKS_AT_ONCE,
    });
  }
}
