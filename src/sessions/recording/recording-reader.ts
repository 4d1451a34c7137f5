import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';
import { Session, SessionChunk, type SessionKey } from '../session.entity';
import { type EventPiece, decodePieces } from './event-codec';
import { mustBeKept } from './recording-removed';

const CHUNKS_AT_ONCE = 8;

/** Reads recordings by primary key range, a few chunks at a time: memory stays flat however long they are. */
@Injectable()
export class RecordingReader {
  constructor(@InjectRepository(SessionChunk) private readonly stored: Repository<SessionChunk>) {}

  /** The events of a recording in order, in pieces as they are stored. */
  async *pieces(session: SessionKey): AsyncGenerator<EventPiece> {
    for await (const chunk of this.chunks(session)) yield* await decodePieces(chunk.payload);
  }

  /**
   * The chunks after number `after` that are stored by now, in order; `atOnce` of them are in memory.
   * @throws RecordingRemoved after those that were still there: what is removed while it is read must not look whole.
   */
  async *chunks({ orgId, id }: SessionKey, after = 0, atOnce = CHUNKS_AT_ONCE): AsyncGenerator<SessionChunk> {
    let last = after;
    for (;;) {
      const chunks = await this.stored.find({
        where: { orgId, sessionId: id, seq: MoreThan(last) },
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

  private retentionOf({ orgId, id }: SessionKey): Promise<Pick<Session, 'recordingPurgedAt'>> {
    return this.stored.manager.findOneOrFail(Session, {
      select: { id: true, recordingPurgedAt: true },
      where: { orgId, id },
    });
  }
}
