import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { EventType } from '../gate/ports/session-recorder';
import { RecordingReader } from './recording/recording-reader';
import { RecordingRemoved } from './recording/recording-removed';
import { Session } from './session.entity';

/** What a session sent or received, event by event. */
export interface RecordedText {
  readonly sessionId: string;
  readonly connectionSubtype: string;
  readonly events: AsyncGenerator<{ readonly type: EventType; readonly text: string }>;
}

const typesOf: Record<'input' | 'output', readonly EventType[]> = { input: ['i'], output: ['o', 'e'] };

/** The Sessions module's door for those who hold rules against what was recorded. */
@Injectable()
export class RecordedTexts {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly recordings: RecordingReader,
  ) {}

  /** The last sessions that are over, newest first; memory stays flat however long they are. */
  async *last(orgId: string, count: number, direction: 'input' | 'output'): AsyncGenerator<RecordedText> {
    const sessions = await this.sessions.find({
      select: { id: true, orgId: true, connectionSubtype: true },
      where: { orgId, status: 'done', recordingPurgedAt: IsNull() },
      order: { startDate: 'DESC', id: 'DESC' },
      take: count,
    });
    for (const session of sessions) {
      const { id, connectionSubtype } = session;
      yield { sessionId: id, connectionSubtype, events: this.events(session, typesOf[direction]) };
    }
  }

  private async *events(session: Session, types: readonly EventType[]): RecordedText['events'] {
    try {
      for await (const { type, content } of this.recordings.pieces(session)) {
        if (types.includes(type)) yield { type, text: content.toString() };
      }
    } catch (error) {
      // Its retention ended meanwhile: one session less to hold rules against.
      if (!(error instanceof RecordingRemoved)) throw error;
    }
  }
}
