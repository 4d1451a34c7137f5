import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { EventType } from '../gate/ports/session-recorder';
import { type EventPiece, isSameEvent } from '../recording-format/event-codec';
import { RecordingReader } from '../recording/recording-reader';
import { RecordingRemoved } from '../recording/recording-removed';
import { Utf8Carry } from '../recording-format/utf8-carry';
import { Session } from '../recording/session.entity';

interface Text {
  readonly type: EventType;
  readonly text: string;
}

/** What a session sent, input by input; or what it received, in parts as they came. */
export interface RecordedText {
  readonly sessionId: string;
  readonly connectionSubtype: string;
  readonly events: AsyncGenerator<Text>;
}

/**
 * Rules judge an input as a whole, so it is put together here. The gate held it as a whole too when it was sent, and
 * took none beyond this; what a recording holds beyond it all the same is handed over in parts of this size.
 */
const LONGEST_INPUT = 64 * 1024 * 1024;

/** The Sessions module's door for those who hold rules against what was recorded. */
@Injectable()
export class RecordedTexts {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly recordings: RecordingReader,
  ) {}

  /** The last sessions that are over, newest first; in memory is one input, or a few chunks of output. */
  async *last(orgId: string, count: number, direction: 'input' | 'output'): AsyncGenerator<RecordedText> {
    const sessions = await this.sessions.find({
      select: { id: true, orgId: true, connectionSubtype: true },
      where: { orgId, status: 'done', recordingPurgedAt: IsNull() },
      order: { startDate: 'DESC', id: 'DESC' },
      take: count,
    });
    for (const session of sessions) {
      const { id, connectionSubtype } = session;
      const pieces = whileKept(this.recordings.pieces(session));
      const events = direction === 'input' ? inputs(pieces) : outputs(pieces);
      yield { sessionId: id, connectionSubtype, events };
    }
  }
}

/** Each input as a whole. */
export async function* inputs(
  pieces: AsyncIterable<EventPiece>,
  longest = LONGEST_INPUT,
): AsyncGenerator<Text> {
  let parts: EventPiece[] = [];
  let size = 0;
  const take = (): Text => {
    const text = Buffer.concat(parts.map(({ content }) => content)).toString();
    parts = [];
    size = 0;
    return { type: 'i', text };
  };
  for await (const piece of pieces) {
    if (piece.type !== 'i') continue;
    const [first] = parts;
    if (first !== undefined && !isSameEvent(first, piece)) yield take();
    parts.push(piece);
    size += piece.content.length;
    if (piece.ends || size >= longest) yield take();
  }
  if (parts.length > 0) yield take();
}

/** Output in pieces: whoever screens it looks across them. Characters are whole, wherever the bytes are cut. */
export async function* outputs(pieces: AsyncIterable<EventPiece>): AsyncGenerator<Text> {
  const decoders = { o: new Utf8Carry(), e: new Utf8Carry() };
  for await (const { type, content } of pieces) {
    if (type !== 'i') yield { type, text: decoders[type].write(content) };
  }
  for (const type of ['o', 'e'] as const) {
    const text = decoders[type].end();
    if (text !== '') yield { type, text };
  }
}

/** A recording whose retention ends while it is read is one session less to hold rules against. */
async function* whileKept(pieces: AsyncGenerator<EventPiece>): AsyncGenerator<EventPiece> {
  try {
    yield* pieces;
  } catch (error) {
    if (!(error instanceof RecordingRemoved)) throw error;
  }
}
