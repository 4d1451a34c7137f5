import { TargetFault } from './postgres-faults';

/** Type (1) · length (uint32, big-endian, counts itself): PostgreSQL documentation, "Message Formats". */
const HEAD_BYTES = 5;

const ERROR = 'E'.charCodeAt(0);
const NOTICE = 'N'.charCodeAt(0);
/**
 * Maximum length of a message in bytes: the driver buffers the whole message, and screening and recording
 * need several copies in memory.
 */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Checks the messages of a target before the driver reads them. A row longer than the longest JavaScript
 * string would end the process. In an error or a notice without its final zero byte, the driver would search
 * for this byte without end.
 */
export class CheckedMessages {
  /** Number of messages whose header has arrived. */
  begun = 0;
  private head = Buffer.alloc(0);
  /** Bytes of the current message that have not arrived yet. */
  private rest = 0;
  /** Parts of the current message; undefined if its content is not checked. */
  private parts: Buffer[] | undefined;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  /**
   * Must be given every byte, beginning at a message boundary.
   * @throws TargetFault `TOO_LARGE` at the header of a message above the limit, or `NOT_POSTGRES`
   */
  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.rest > 0) {
        const part = chunk.subarray(at, at + this.rest);
        this.parts?.push(part);
        this.rest -= part.length;
        at += part.length;
      } else {
        const part = chunk.subarray(at, at + HEAD_BYTES - this.head.length);
        this.head = Buffer.concat([this.head, part]);
        at += part.length;
        if (this.head.length === HEAD_BYTES) this.begin();
      }
      if (this.rest === 0 && this.head.length === 0) this.end();
    }
  }

  private begin(): void {
    const type = this.head[0];
    const length = this.head.readUInt32BE(1);
    if (length > this.maxBytes) throw new TargetFault('TOO_LARGE');
    this.begun += 1;
    this.rest = Math.max(length - 4, 0);
    this.head = Buffer.alloc(0);
    this.parts = type === ERROR || type === NOTICE ? [] : undefined;
  }

  private end(): void {
    if (this.parts !== undefined) requireFields(Buffer.concat(this.parts));
    this.parts = undefined;
  }
}

/**
 * Requires fields, each with a type and a text, and a final zero byte.
 * @param body an error or a notice, without its header
 */
export function requireFields(body: Buffer): void {
  let at = 0;
  while (at < body.length && body[at] !== 0) {
    const end = body.indexOf(0, at + 1);
    at = end === -1 ? body.length : end + 1;
  }
  if (at >= body.length) throw new TargetFault('NOT_POSTGRES');
}
