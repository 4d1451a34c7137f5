import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Between, Repository } from 'typeorm';
import { SessionRow, SessionChunk, type SessionKey } from './session.entity';
import { type EventPiece, decodePieces } from '../recording-format/event-codec';
import { readAhead } from '../recording-format/read-ahead';
import { mustBeKept } from './recording-removed';
import type { FirstChunks } from './stored-sessions';

const CHUNKS_AT_ONCE = 8;
/** Chunks that are inflated ahead while one is used. The next query starts while the last chunks of a query are used. */
const AHEAD = 3;
const LAST = 2 ** 31 - 1;

/** Reads recordings by primary key range, a few chunks at a time: memory does not grow with their length. */
@Injectable()
export class RecordingReader {
  constructor(@InjectRepository(SessionChunk) private readonly stored: Repository<SessionChunk>) {}

  /** The events of a recording in order, in pieces as they are stored. */
  async *pieces(session: SessionKey): AsyncGenerator<EventPiece> {
    for await (const pieces of this.batches(session)) yield* pieces;
  }

  /**
   * Like `pieces`, but yields all pieces of a chunk together: one turn of the event loop for each small piece is slow.
   * @param first what was read with the session: the whole recording, where it is short
   */
  batches(session: SessionKey, first?: FirstChunks): AsyncGenerator<EventPiece[]> {
    return first?.complete === true
      ? decoded(first.payloads)
      : readAhead(this.chunks(session), (chunk) => decodePieces(chunk.payload), AHEAD);
  }

  /**
   * The chunks after number `after` that are stored by now, in order; `atOnce` of them are in memory. None beyond number `upTo`.
   * @throws RecordingRemoved after the chunks that still existed: a recording that is removed while it is read must not look complete.
   */
  async *chunks(
    { orgId, id }: SessionKey,
    after = 0,
    atOnce = CHUNKS_AT_ONCE,
    upTo = LAST,
  ): AsyncGenerator<SessionChunk> {
    let last = after;
    for (;;) {
      const chunks = await this.stored.find({
        where: { orgId, sessionId: id, seq: Between(last + 1, upTo) },
        order: { seq: 'ASC' },
        take: atOnce,
      });
      yield* chunks;
      const end = chunks.at(-1);
      if (end === undefined || chunks.length < atOnce) break;
      last = end.seq;
    }
    mustBeKept(await this.retentionOf({ orgId, id }));
  }

  private retentionOf({ orgId, id }: SessionKey): Promise<Pick<SessionRow, 'recordingPurgedAt'>> {
    return this.stored.manager.findOneOrFail(SessionRow, {
      select: { id: true, recordingPurgedAt: true },
      where: { orgId, id },
    });
  }
}

async function* decoded(payloads: readonly Buffer[]): AsyncGenerator<EventPiece[]> {
  for (const payload of payloads) yield await decodePieces(payload);
}
