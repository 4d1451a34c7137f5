import { TargetFault } from './postgres-faults';

/** Type (1) · length (uint32, big-endian, counts itself): PostgreSQL documentation, "Message Formats". */
const HEAD_BYTES = 5;
const MIN_LENGTH = 4;

/**
 * Maximum size of all messages before the first ReadyForQuery. A real server sends about 500 bytes, and
 * notices of login triggers.
 */
const MAX_BYTES = 256 * 1024;

const READY_FOR_QUERY = 0x5a;
/**
 * Types of the messages Authentication, ParameterStatus, BackendKeyData, NoticeResponse,
 * ErrorResponse, ReadyForQuery and NegotiateProtocolVersion.
 */
const KNOWN = new Set([...'RSKNEZv'].map((type) => type.charCodeAt(0)));

/**
 * Splits the server's bytes into messages during sign-in. Stops after ReadyForQuery, because later bytes
 * belong to the next user of the connection.
 */
export class StartUpMessages {
  private held: Buffer = Buffer.alloc(0);
  private taken = 0;

  constructor(private readonly take: (message: Buffer) => void) {}

  /**
   * Returns the bytes after ReadyForQuery; undefined until ReadyForQuery has arrived.
   * @throws TargetFault `NOT_POSTGRES`, and the errors of `take`.
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
