import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../../kernel/json/json';

/** Maximum bytes of an event, encoded as in the recording. The rest of a longer event is skipped. */
const MAX_EVENT_BYTES = 16 * 1024;
/** Maximum length of all events of a page, in bytes. */
const MAX_PAGE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** Maximum length in bytes of one character in the file. The longest is an escape such as `\u001b`. */
const LONGEST_CHARACTER = 6;

/** The part of a recording that is requested. */
export interface EventPage {
  /** Number of events before the first event of the page. */
  readonly skip: number;
  readonly limit: number;
}

/** One page of a recording. `next`: how many events to skip for the next page; null at the end. */
export interface ReadEvents extends JsonObject {
  events: JsonObject[];
  next: number | null;
}

/**
 * Reads one page of a recording from a file of JSON lines. The file may have any size: reading stops after
 * the page, and only the beginning of a long event is kept.
 * @param file is destroyed when the page is read.
 */
export async function readEvents(
  file: AsyncIterable<Buffer>,
  { skip, limit }: EventPage,
): Promise<ReadEvents> {
  const events: JsonObject[] = [];
  let number = 0;
  let size = 0;
  for await (const { bytes, isCut } of linesOf(file)) {
    number += 1;
    if (number <= skip) continue;
    // Returns the first event whatever its size, so that the caller always gets at least one event and can
    // continue.
    if (events.length >= limit || (events.length > 0 && size + bytes.length > MAX_PAGE_BYTES))
      return { events, next: number - 1 };
    size += bytes.length;
    events.push(eventOf(bytes, isCut, number));
  }
  return { events, next: null };
}

interface Line {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

async function* linesOf(file: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let kept: Buffer[] = [];
  let size = 0;
  let isCut = false;
  const add = (piece: Buffer): void => {
    const room = MAX_EVENT_BYTES - size;
    if (piece.length > room) isCut = true;
    const taken = piece.subarray(0, room);
    size += taken.length;
    if (taken.length > 0) kept.push(taken);
  };
  for await (const chunk of file) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      yield { bytes: Buffer.concat(kept), isCut };
      [kept, size, isCut, from] = [[], 0, false, end + 1];
    }
    add(chunk.subarray(from));
  }
}

function eventOf(line: Buffer, isCut: boolean, number: number): JsonObject {
  // Uses `JSON.parse`, because the strict parser for messages would refuse NUL, which a recording may
  // contain. The API wrote the line, so it is valid JSON.
  const event = isCut ? closed(line) : (JSON.parse(line.toString()) as JsonObject);
  const { time = null, type = null, stream = null } = event;
  return { number, time, type, text: stream, truncated: isCut };
}

/** Parses a line that was cut within its last field, `stream`, by closing it after a whole character. */
function closed(line: Buffer): JsonObject {
  for (let left = 0; left < LONGEST_CHARACTER; left += 1) {
    const whole = line.subarray(0, line.length - left);
    try {
      if (isUtf8(whole)) return JSON.parse(`${whole.toString()}"}`) as JsonObject;
    } catch {
      // Tries again with one byte less, because the line ends within an escape.
    }
  }
  throw new Error('a line of a recording cannot be read');
}
