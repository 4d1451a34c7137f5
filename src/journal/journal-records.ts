import { crc32 } from 'node:zlib';
import { stringify } from 'uuid';
import type { TrailEventType } from '../gate/ports/session-recorder';
import { eventKindOf, writeContent } from '../recording-format/event-codec';

/** What a journal remembers of a session until it is stored in the database. Numbers count the session's events from 1. */
export type JournalRecord =
  | {
      readonly kind: 'event';
      readonly sessionId: string;
      readonly number: number;
      readonly time: number;
      readonly type: TrailEventType;
      readonly values?: true | undefined;
      /** Of a large one that was written bit by bit; nothing else of its session comes between. */
      readonly part?: EventPart | undefined;
      readonly content: Buffer;
    }
  | {
      /** What the session's row is to learn, as JSON; the last one counts. */
      readonly kind: 'progress' | 'end';
      readonly sessionId: string;
      readonly number: number;
      readonly content: Buffer;
    }
  | {
      /** Written to see whether there is room. */
      readonly kind: 'nothing';
      readonly content: Buffer;
    };

export type EventPart = 'begins' | 'goes on' | 'ends';

const KINDS = { event: 1, progress: 2, end: 3, nothing: 4, begins: 5, 'goes on': 6, ends: 7 } as const;
const PARTS: ReadonlyMap<number, EventPart> = new Map(
  (['begins', 'goes on', 'ends'] as const).map((part) => [KINDS[part], part]),
);

/** Length of the body and its CRC-32 (uint32 little-endian each), so that a torn write shows. */
const FRAME_BYTES = 8;
/** Kind (1) · session id (16) · number (float64) · time (float64) · letter (1). The content follows. */
const HEAD_BYTES = 34;
/** Bytes of a record before its content. */
export const RECORD_BYTES = FRAME_BYTES + HEAD_BYTES;

/** A record on its way into a journal. */
export interface NewRecord {
  readonly kind: JournalRecord['kind'] | EventPart;
  readonly number: number;
  /** Of events only, as the letter is (`letterOf`); otherwise 0. */
  readonly time: number;
  readonly letter: number;
  readonly content: string | Buffer;
  /** Bytes of the content. */
  readonly length: number;
}

/** Writes the record of the session whose id has those 16 bytes; it takes `RECORD_BYTES` and its content. */
export function writeRecord(bytes: Buffer, at: number, sessionId: Uint8Array, record: NewRecord): void {
  const { kind, number, time, letter, content, length } = record;
  const body = at + FRAME_BYTES;
  bytes[body] = KINDS[kind];
  bytes.set(sessionId, body + 1);
  bytes.writeDoubleLE(number, body + 17);
  bytes.writeDoubleLE(time, body + 25);
  bytes[body + 33] = letter;
  writeContent(bytes, body + HEAD_BYTES, content, length);
  bytes.writeUInt32LE(HEAD_BYTES + length, at);
  bytes.writeUInt32LE(crc32(bytes.subarray(body, body + HEAD_BYTES + length)), at + 4);
}

/** The whole records at the beginning of the bytes: a process that died while writing leaves a torn one at the end. */
export function* decodeRecords(bytes: Buffer): Generator<JournalRecord> {
  for (let at = 0; at + FRAME_BYTES <= bytes.length;) {
    const length = bytes.readUInt32LE(at);
    const body = bytes.subarray(at + FRAME_BYTES, at + FRAME_BYTES + length);
    if (body.length < length || length < HEAD_BYTES || crc32(body) !== bytes.readUInt32LE(at + 4)) return;
    yield recordOf(body);
    at += FRAME_BYTES + length;
  }
}

function recordOf(body: Buffer): JournalRecord {
  const kind = body.readUInt8(0);
  const said = {
    sessionId: stringify(body, 1),
    number: body.readDoubleLE(17),
    content: body.subarray(HEAD_BYTES),
  };
  switch (kind) {
    case KINDS.event:
    case KINDS.begins:
    case KINDS['goes on']:
    case KINDS.ends: {
      const what = eventKindOf(body.readUInt8(33));
      if (what === undefined) throw new Error('a journal has an event of unknown type');
      const part = PARTS.get(kind);
      return { kind: 'event', ...said, time: body.readDoubleLE(25), ...what, ...(part && { part }) };
    }
    case KINDS.progress:
      return { kind: 'progress', ...said };
    case KINDS.end:
      return { kind: 'end', ...said };
    case KINDS.nothing:
      return { kind: 'nothing', content: said.content };
    default:
      throw new Error('a journal was written by a newer version');
  }
}
