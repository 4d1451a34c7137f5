import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import type { TrailEventType } from '../../gate/ports/session-recorder';
import { type EventPiece, isSameEvent } from '../format/event-codec';
import { RecordingReader } from '../recording/recording-reader';
import { RecordingIncomplete } from '../format/recording-incomplete';
import { RecordingRemoved } from '../recording/recording-removed';
import { outputDecoder } from '../format/output-decoder';
import { valuesIn } from './recorded-values';
import { SessionRow } from '../recording/session.entity';

interface Text {
  readonly type: TrailEventType;
  /** True for a parameter value or copied rows. Such a text is data, and not in the target's language. */
  readonly values?: true | undefined;
  readonly text: string;
}

/**
 * The inputs of a session, with each bound value as a text of its own; or its output in the stored pieces.
 */
export interface RecordedText {
  readonly sessionId: string;
  readonly connectionSubtype: string;
  /** The kind of the channel, for sessions of protocols that have several. */
  readonly channel: string | undefined;
  readonly events: AsyncGenerator<Text>;
}

/**
 * Maximum bytes of an input that is joined into one text, because rules judge whole inputs. The gate accepts
 * no longer inputs. If a recording has a longer one, it is yielded in parts of about this size.
 */
const LONGEST_INPUT = 64 * 1024 * 1024;

/** Reads whole inputs, or output, of recordings for dry runs of rules. */
@Injectable()
export class RecordedTexts {
  constructor(
    @InjectRepository(SessionRow) private readonly sessions: Repository<SessionRow>,
    private readonly recordings: RecordingReader,
  ) {}

  /**
   * Yields the texts of the last ended sessions, newest session first. Only one input or a few output chunks
   * are in memory.
   * @param gone aborted when nobody waits for the result; then the reading ends without an error
   */
  async *last(
    orgId: string,
    count: number,
    direction: 'input' | 'output',
    gone: AbortSignal,
  ): AsyncGenerator<RecordedText> {
    const sessions = await this.sessions.find({
      select: { id: true, orgId: true, connectionSubtype: true, labels: true },
      where: { orgId, status: 'done', recordingPurgedAt: IsNull() },
      order: { startDate: 'DESC', id: 'DESC' },
      take: count,
    });
    for (const session of sessions) {
      if (gone.aborted) return;
      const { id, connectionSubtype, labels } = session;
      const pieces = whileKept(this.recordings.pieces(session), gone);
      const events = direction === 'input' ? inputs(pieces) : outputs(pieces);
      yield { sessionId: id, connectionSubtype, channel: labels['channel'], events };
    }
  }
}

/**
 * Joins the pieces of each input into one text. If an input contains bound values, yields each value alone.
 */
export async function* inputs(
  pieces: AsyncIterable<EventPiece>,
  longest = LONGEST_INPUT,
): AsyncGenerator<Text> {
  let parts: EventPiece[] = [];
  let size = 0;
  const takeInput = async function* (): AsyncGenerator<Text> {
    const text = Buffer.concat(parts.map(({ content }) => content)).toString();
    const hasValues = parts[0]?.values === true;
    parts = [];
    size = 0;
    if (!hasValues) yield { type: 'i', text };
    else for await (const value of valuesIn(text)) yield { type: 'i', values: true, text: value };
  };
  for await (const piece of pieces) {
    if (piece.type !== 'i') continue;
    const [first] = parts;
    if (first !== undefined && !isSameEvent(first, piece)) yield* takeInput();
    parts.push(piece);
    size += piece.content.length;
    if (piece.ends || size >= longest) yield* takeInput();
  }
  if (parts.length > 0) yield* takeInput();
}

/** Decodes output piece by piece, including characters that are cut between two pieces. */
export async function* outputs(pieces: AsyncIterable<EventPiece>): AsyncGenerator<Text> {
  const decoders = { o: outputDecoder(), e: outputDecoder() };
  for await (const { type, content } of pieces) {
    if (type !== 'i') yield { type, text: decoders[type].decode(content, { stream: true }) };
  }
  for (const type of ['o', 'e'] as const) {
    const text = decoders[type].decode();
    if (text !== '') yield { type, text };
  }
}

/**
 * Yields the pieces of a recording. Ends without an error at the first missing chunk if retention removes the
 * recording meanwhile, or when `gone` aborts.
 */
async function* whileKept(pieces: AsyncGenerator<EventPiece>, gone: AbortSignal): AsyncGenerator<EventPiece> {
  try {
    for await (const piece of pieces) {
      if (gone.aborted) return;
      yield piece;
    }
  } catch (error) {
    if (!(error instanceof RecordingRemoved || error instanceof RecordingIncomplete)) throw error;
  }
}
