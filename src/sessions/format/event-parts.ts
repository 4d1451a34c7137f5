import type { TrailEvent } from '../../gate/ports/session-recorder';
import { piecesOf } from '../../kernel/text/pieces';
import { isLarge } from './large-event';

/** Maximum length of an output event, in characters or bytes. A smaller event is durable sooner. */
export const PIECE_LENGTH = 64 * 1024;

/** Maximum bytes of a character in UTF-8. */
const LONGEST_CHARACTER = 4;

/**
 * Cuts output into several events, because output is a stream. An input is one message and stays one event.
 */
export function partsOfEvent(event: TrailEvent): readonly TrailEvent[] {
  const { type, content } = event;
  if (type === 'i' || Array.isArray(content) || content.length <= PIECE_LENGTH) return [event];
  if (typeof content === 'string')
    return piecesOf(content, PIECE_LENGTH).map((piece) => ({ type, content: piece }));
  const parts: TrailEvent[] = [];
  const bytes = content as Buffer;
  for (let at = 0; at < bytes.length;) {
    const end = endOfPart(bytes, at + PIECE_LENGTH);
    parts.push({ type, content: bytes.subarray(at, end) });
    at = end;
  }
  return parts;
}

/**
 * Returns the last end of a character of UTF-8 at or before `end`, because readers may decode each event by
 * itself. Bytes that are no UTF-8 are cut at `end`.
 */
function endOfPart(bytes: Buffer, end: number): number {
  for (let at = end; at > end - LONGEST_CHARACTER; at--) {
    const byte = bytes[at];
    if (byte === undefined) return end;
    if ((byte & 0xc0) !== 0x80) return at;
  }
  return end;
}

/** Copies an event, so that the caller may reuse its buffer. A large event is not copied. */
export function copyOfEvent(event: TrailEvent): TrailEvent {
  return isLarge(event.content) ? event : { ...event, content: Buffer.from(event.content as string) };
}
