import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EventType } from '../gate/ports/session-recorder';

/** One recorded event. `time` is in milliseconds since the session's start. */
export interface SessionEvent {
  readonly time: number;
  readonly type: EventType;
  readonly content: Buffer;
}

/** Time (float64) · type (1) · length (uint32), all little-endian; then the content. */
const HEAD_BYTES = 13;
/** Speed over size: a recording is written while somebody waits. */
const COMPRESSION_LEVEL = 1;

/** Events as the compressed payload of one chunk. */
export function encodeEvents(events: readonly SessionEvent[]): Buffer {
  const parts = events.flatMap(({ time, type, content }) => {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeDoubleLE(time, 0);
    head.write(type, 8, 'latin1');
    head.writeUInt32LE(content.length, 9);
    return [head, content];
  });
  return deflateRawSync(Buffer.concat(parts), { level: COMPRESSION_LEVEL });
}

/** @throws when the payload is not what `encodeEvents` made. */
export function decodeEvents(payload: Buffer): SessionEvent[] {
  const bytes = inflateRawSync(payload);
  const events: SessionEvent[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = bytes.readUInt32LE(at + 9);
    const end = at + HEAD_BYTES + length;
    if (end > bytes.length) throw new Error('a recorded chunk is torn');
    events.push({
      time: bytes.readDoubleLE(at),
      type: bytes.toString('latin1', at + 8, at + 9) as EventType,
      content: bytes.subarray(at + HEAD_BYTES, end),
    });
    at = end;
  }
  return events;
}

/** Before the first chunk. */
export const NO_CHUNK = Buffer.alloc(32);

/** Links a chunk to the one before it, so that a changed, missing or moved chunk shows. */
export function chunkHash(previous: Buffer, sessionId: string, seq: number, payload: Buffer): Buffer {
  return createHash('sha256').update(previous).update(`${sessionId}:${seq}:`).update(payload).digest();
}
