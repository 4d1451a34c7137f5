import { crc32 } from 'node:zlib';
import { stringify } from 'uuid';
import type { TrailEventType } from '../../gate/ports/session-recorder';
import { eventKindOf, writeContent } from '../format/event-codec';

/**
 * A journal's record about a session. It is kept until it is stored in the database. Events are numbered from
 * 1 in each session.
 */
export type JournalRecord =
  | {
      readonly kind: 'event';
      readonly sessionId: string;
      readonly number: number;
      readonly time: number;
      readonly type: TrailEventType;
      readonly values?: true | undefined;
      /**
       * Set for a part of a large event that was written in parts. No other record of its session comes
       * between the parts.
       */
      readonly part?: EventPart | undefined;
      readonly content: Buffer;
    }
  | {
      /** An update of the session's row, as JSON. Only the last update of a session counts. */
      readonly kind: 'progress' | 'end';
      readonly sessionId: string;
      readonly number: number;
      readonly content: Buffer;
    }
  | {
      /** A test record, to see whether the journal can be written. */
      readonly kind: 'nothing';
      readonly content: Buffer;
    };

export type EventPart = 'begins' | 'goes on' | 'ends';

const KINDS = { event: 1, progress: 2, end: 3, nothing: 4, begins: 5, 'goes on': 6, ends: 7 } as const;
const PARTS: ReadonlyMap<number, EventPart> = new Map(
  (['begins', 'goes on', 'ends'] as const).map((part) => [KINDS[part], part]),
);

/** Size of a record's frame: length and CRC-32 of the body (uint32, little-endian). Detects a torn write. */
const FRAME_BYTES = 8;
/** Size of the header: kind (1), session id (16), number (float64), time (float64), letter (1). */
const HEAD_BYTES = 34;
/** Size of a record without its content. */
export const RECORD_BYTES = FRAME_BYTES + HEAD_BYTES;

/** A record to be written. */
export interface NewRecord {
  readonly kind: JournalRecord['kind'] | EventPart;
  readonly number: number;
  /** Time of the event, and the letter of its type (`letterOf`). Both are 0 for other kinds of records. */
  readonly time: number;
  readonly letter: number;
  readonly content: string | Buffer;
  /** Size of the content in bytes. */
  readonly length: number;
}

/**
 * Writes a record into `bytes` at offset `at`. The record occupies `RECORD_BYTES` plus its content.
 * @param sessionId the session's id as 16 bytes
 */
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

/**
 * Reads the complete records at the beginning of the bytes. Stops at a torn record, which is left behind by a
 * process that died during a write.
 */
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
      if (what === undefined) throw new Error('the journal has an event of unknown type');
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
      throw new Error('the journal was written by a newer version of the gateway');
  }
}
