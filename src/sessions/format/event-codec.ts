import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import type { TrailEventType } from '../../gate/ports/session-recorder';
import { COMPRESSION_LEVEL, deflateInThread } from './deflate';

/** One recorded event. `time` is in milliseconds since the session's start. */
export interface SessionEvent {
  readonly time: number;
  readonly type: TrailEventType;
  /** True for an input with the bound values of a command that was recorded before. */
  readonly values?: true | undefined;
  readonly content: Buffer;
}

/**
 * A part of one event. An event larger than a chunk is stored in several pieces, so that no chunk or reader
 * has to hold the whole event. All pieces of an event have its time and type. The last piece has `ends` true.
 */
export interface EventPiece extends SessionEvent {
  readonly ends: boolean;
}

/**
 * Whether two neighboring pieces may belong to one event: they have the same type and time, and both or
 * neither contain bound values. Pieces of different events are never interleaved.
 */
export function isSameEvent(one: EventPiece, other: EventPiece): boolean {
  return one.type === other.type && one.time === other.time && one.values === other.values;
}

/**
 * Size in bytes of the header of a stored event or piece: time (float64), letter (1 byte), length of the
 * content (uint32), all little-endian. The content follows. The letter is the type, or `p` for an input of
 * bound values. It is in upper case if the event continues in the next piece.
 */
export const PIECE_HEAD_BYTES = 13;
/** The bit that makes an ASCII letter lower-case. */
export const LOWER_CASE = 0x20;
/**
 * Size in bytes from which a thread compresses or inflates. For smaller data, handing the work to a thread
 * takes longer than the work.
 */
const THREAD_FROM_BYTES = 16 * 1024;

/** Maximum inflated size of a chunk. Real chunks are smaller; a forged one must not fill the memory. */
const MAX_INFLATED_BYTES = 128 * 1024 * 1024;
/**
 * Maximum buffer size for inflating. A whole chunk fits into it. With zlib's default of 16 KiB, inflating
 * would take twice as long, because each buffer needs a call to a thread.
 */
const MAX_ROOM = 320 * 1024;

/**
 * Size in bytes from which chunks are compressed. For smaller chunks, compression saves too little space for
 * its time.
 */
const DEFLATE_FROM_BYTES = 256;

/** Length of the header of an uncompressed deflate block. */
const STORED_HEAD_BYTES = 5;

const inflate = promisify(inflateRaw);

/** Encodes pieces of events as the compressed payload of one chunk. */
export function encodePieces(pieces: readonly EventPiece[]): Promise<Buffer> {
  return payloadOf(bytesOf(pieces));
}

/** Compresses pieces of events, which are in stored form, to the payload of one chunk. */
export async function payloadOf(bytes: Buffer): Promise<Buffer> {
  if (bytes.length < DEFLATE_FROM_BYTES) return storedBlock(bytes);
  if (bytes.length >= THREAD_FROM_BYTES) return deflateInThread(bytes);
  return deflateRawSync(bytes, { level: COMPRESSION_LEVEL });
}

/** Returns the bytes as a final uncompressed deflate block (RFC 1951, 3.2.4). */
function storedBlock(bytes: Buffer): Buffer {
  const head = Buffer.alloc(STORED_HEAD_BYTES);
  head.writeUInt8(1, 0);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xff_ff, 3);
  return Buffer.concat([head, bytes]);
}

/** Returns the content of a block from `storedBlock` without zlib; undefined for any other payload. */
function contentOfStoredBlock(payload: Buffer): Buffer | undefined {
  if (payload.length < STORED_HEAD_BYTES || payload[0] !== 1) return undefined;
  const length = payload.readUInt16LE(1);
  const isWhole = payload.readUInt16LE(3) === (~length & 0xff_ff);
  return isWhole && payload.length === STORED_HEAD_BYTES + length
    ? payload.subarray(STORED_HEAD_BYTES)
    : undefined;
}

function bytesOf(pieces: readonly EventPiece[]): Buffer {
  const size = pieces.reduce((sum, { content }) => sum + PIECE_HEAD_BYTES + content.length, 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const piece of pieces) {
    const { time, content, ends } = piece;
    writeHead(bytes, at, time, ends ? letterOf(piece) : letterOf(piece) & ~LOWER_CASE, content.length);
    bytes.set(content, at + PIECE_HEAD_BYTES);
    at += PIECE_HEAD_BYTES + content.length;
  }
  return bytes;
}

/** Writes the header of a piece. */
export function writeHead(bytes: Buffer, at: number, time: number, letter: number, length: number): void {
  bytes.writeDoubleLE(time, at);
  bytes[at + 8] = letter;
  bytes.writeUInt32LE(length, at + 9);
}

/** Writes the content of a piece, of `length` bytes. */
export function writeContent(bytes: Buffer, at: number, content: string | Buffer, length: number): void {
  if (typeof content === 'string') bytes.write(content, at, length);
  else bytes.set(content, at);
}

/** @throws when the payload is not a valid encoding of pieces. */
export async function decodePieces(payload: Buffer): Promise<EventPiece[]> {
  const bytes = contentOfStoredBlock(payload) ?? (await inflated(payload));
  const pieces: EventPiece[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + PIECE_HEAD_BYTES > bytes.length) throw new Error('a recorded chunk is truncated');
    const end = at + PIECE_HEAD_BYTES + bytes.readUInt32LE(at + 9);
    if (end > bytes.length) throw new Error('a recorded chunk is truncated');
    const letter = bytes.readUInt8(at + 8);
    const kind = eventKindOf(letter | LOWER_CASE);
    if (kind === undefined) throw new Error('a recorded chunk has an unknown type of event');
    const time = bytes.readDoubleLE(at);
    const content = bytes.subarray(at + PIECE_HEAD_BYTES, end);
    pieces.push({ ...kind, time, content, ends: (letter & LOWER_CASE) !== 0 });
    at = end;
  }
  return pieces;
}

async function inflated(payload: Buffer): Promise<Buffer> {
  const options = { chunkSize: roomFor(payload), maxOutputLength: MAX_INFLATED_BYTES };
  return payload.length < THREAD_FROM_BYTES ? inflateRawSync(payload, options) : inflate(payload, options);
}

/**
 * Returns the size of one buffer for inflating, because text often compresses to an eighth. Larger output
 * takes several buffers.
 */
function roomFor(payload: Buffer): number {
  return Math.min(Math.max(payload.length * 8, 1024), MAX_ROOM);
}

type EventKind = Pick<SessionEvent, 'type' | 'values'>;

export const INPUT = 0x69;
export const VALUES = 0x70;
const OUTPUT = 0x6f;
const ERROR = 0x65;

/** The ASCII letter of an event type: i, o, e, or p for values. */
export function letterOf({ type, values }: EventKind): number {
  switch (type) {
    case 'i':
      return values ? VALUES : INPUT;
    case 'o':
      return OUTPUT;
    case 'e':
      return ERROR;
  }
}

/** The event type of a letter; undefined for an unknown letter. */
export function eventKindOf(letter: number): EventKind | undefined {
  switch (letter) {
    case INPUT:
      return { type: 'i' };
    case VALUES:
      return { type: 'i', values: true };
    case OUTPUT:
      return { type: 'o' };
    case ERROR:
      return { type: 'e' };
    default:
      return undefined;
  }
}
