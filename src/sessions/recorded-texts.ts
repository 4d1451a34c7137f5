import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { EventType } from '../gate/ports/session-recorder';
import { RecordingsRepository } from './recordings.repository';
import { Session } from './session.entity';

/** What a session sent or received, in pieces; a piece begins with the end of the one before it. */
export interface RecordedText {
  readonly sessionId: string;
  readonly texts: AsyncGenerator<string>;
}

const PIECE_CHARACTERS = 64 * 1024;
/** As far as guard rails look back in a stream: what they would find whole is whole in one of two pieces. */
const OVERLAP_CHARACTERS = 4 * 1024;

const typesOf: Record<'input' | 'output', readonly EventType[]> = { input: ['i'], output: ['o', 'e'] };

/** The Sessions module's door for those who hold rules against what was recorded. */
@Injectable()
export class RecordedTexts {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly recordings: RecordingsRepository,
  ) {}

  /** The last sessions that are over, newest first; memory stays flat however long they are. */
  async *last(orgId: string, count: number, direction: 'input' | 'output'): AsyncGenerator<RecordedText> {
    const sessions = await this.sessions.find({
      select: { id: true, orgId: true },
      where: { orgId, status: 'done' },
      order: { startDate: 'DESC', id: 'DESC' },
      take: count,
    });
    for (const session of sessions)
      yield { sessionId: session.id, texts: this.pieces(session, typesOf[direction]) };
  }

  private async *pieces(session: Session, types: readonly EventType[]): AsyncGenerator<string> {
    let held = '';
    for await (const { type, content } of this.recordings.read(session)) {
      if (!types.includes(type)) continue;
      held += content.toString();
      if (held.length < PIECE_CHARACTERS) continue;
      yield held;
      held = held.slice(-OVERLAP_CHARACTERS);
    }
    if (held !== '') yield held;
  }
}
