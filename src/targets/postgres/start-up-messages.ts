import { TargetFault } from './postgres-faults';

/** Type (1) · length (uint32, big-endian, counts itself): PostgreSQL documentation, "Message Formats". */
const HEAD_BYTES = 5;
const MIN_LENGTH = 4;

/** Everything a server says until its first ReadyForQuery; a real one says some 500 bytes, and notices of login triggers. */
const MAX_BYTES = 256 * 1024;

const READY_FOR_QUERY = 0x5a;
/** Authentication, ParameterStatus, BackendKeyData, NoticeResponse, ErrorResponse, ReadyForQuery, NegotiateProtocolVersion. */
const KNOWN = new Set([...'RSKNEZv'].map((type) => type.charCodeAt(0)));

/**
 * Cuts what a server says while somebody signs in into messages, and stops behind ReadyForQuery: what follows
 * belongs to whoever goes on.
 */
export class StartUpMessages {
  private held: Buffer = Buffer.alloc(0);
  private taken = 0;

  constructor(private readonly take: (message: Buffer) => void) {}

  /**
   * Returns what came behind ReadyForQuery; undefined as long as that has not come.
   * @throws TargetFault `NOT_POSTGRES`, and whatever `take` throws.
   */
  push(chunk: Buffer): Buffer | undefined {
    this.taken += chunk.length;
    let rest = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    while (rest.length >= HEAD_BYTES) {
      const end = 1 + lengthOf(rest);
      if (rest.length < end) break;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      this.take(message);
      if (message[0] === READY_FOR_QUERY) return rest;
    }
    if (this.taken > MAX_BYTES) throw new TargetFault('NOT_POSTGRES');
    this.held = rest;
    return undefined;
  }
}

function lengthOf(message: Buffer): number {
  const length = message.readUInt32BE(1);
  if (!KNOWN.has(message[0] ?? 0) || length < MIN_LENGTH || length > MAX_BYTES)
    throw new TargetFault('NOT_POSTGRES');
  return length;
}
