import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { parse, stringify } from 'uuid';
import type { EventType } from '../../gate/ports/session-recorder';
import { kindOf, letterOf } from './event-codec';

/** What a journal remembers of a session until it is stored in the database. Numbers count the session's events from 1. */
export type JournalRecord =
  | {
      readonly kind: 'event';
      readonly sessionId: string;
      readonly number: number;
      readonly time: number;
      readonly type: EventType;
      readonly values?: true | undefined;
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

const KINDS = { event: 1, progress: 2, end: 3, nothing: 4 } as const;

/** Length of the body and its CRC-32 (uint32 little-endian each), so that a torn write shows. */
const FRAME_BYTES = 8;
/** Kind (1) · session id (16) · number (float64) · time (float64) · letter (1). The content follows. */
const HEAD_BYTES = 34;

/** How many bytes the record takes. */
export function sizeOf(record: JournalRecord): number {
  return FRAME_BYTES + HEAD_BYTES + record.content.length;
}

/** Records as they are written, one after the other. */
export function encodeRecords(records: readonly JournalRecord[]): Buffer {
  const bytes = Buffer.allocUnsafe(records.reduce((sum, record) => sum + sizeOf(record), 0));
  let at = 0;
  for (const record of records) {
    const body = bytes.subarray(at + FRAME_BYTES, at + sizeOf(record));
    encodeBody(record, body);
    bytes.writeUInt32LE(body.length, at);
    bytes.writeUInt32LE(crc32(body), at + 4);
    at += FRAME_BYTES + body.length;
  }
  return bytes;
}

function encodeBody(record: JournalRecord, body: Buffer): void {
  body.fill(0, 0, HEAD_BYTES);
  body.writeUInt8(KINDS[record.kind], 0);
  body.set(record.content, HEAD_BYTES);
  if (record.kind === 'nothing') return;
  body.set(bytesOf(record.sessionId), 1);
  body.writeDoubleLE(record.number, 17);
  if (record.kind !== 'event') return;
  body.writeDoubleLE(record.time, 25);
  body.writeUInt8(letterOf(record), 33);
}

/** A few sessions write most of what is written at a time. */
const knownIds = new LRUCache<string, Uint8Array>({ max: 1_000 });

function bytesOf(sessionId: string): Uint8Array {
  const known = knownIds.get(sessionId) ?? parse(sessionId);
  knownIds.set(sessionId, known);
  return known;
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
    case KINDS.event: {
      const what = kindOf(body.readUInt8(33));
      if (what === undefined) throw new Error('a journal has an event of unknown type');
      return { kind: 'event', ...said, time: body.readDoubleLE(25), ...what };
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
