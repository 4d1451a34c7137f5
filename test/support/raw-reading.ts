import { type Socket, connect } from 'node:net';

/** The part of an HTTP answer that the client has when the connection closes. */
export interface RawEnd {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /**
   * Whether HTTP clients accept the answer as complete: by its `content-length`, by its last chunk, or,
   * without both, because the connection ended without an error.
   */
  readonly isWhole: boolean;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly version?: '1.0' | '1.1';
}

/** One HTTP request on its own connection. The test can stop reading the answer, and continue later. */
export class RawReading {
  readonly ended: Promise<RawEnd>;
  private readonly parts: Buffer[] = [];
  private size = 0;
  private isReset = false;

  private constructor(
    private readonly socket: Socket,
    private stopsAfter: number,
  ) {
    socket.on('data', (part: Buffer) => this.take(part)).on('error', () => (this.isReset = true));
    this.ended = new Promise((resolve) => {
      socket.once('close', () => resolve(endOf(Buffer.concat(this.parts), this.isReset)));
    });
  }

  /** @param stopsAfter how many bytes of the answer are read before the client stops reading */
  static open(url: string, request: RawRequest = {}, stopsAfter = Infinity): RawReading {
    const { host, hostname, port, pathname, search } = new URL(url);
    const { method = 'GET', headers = {}, body = '', version = '1.1' } = request;
    const socket = connect({ host: hostname, port: Number(port) });
    const reading = new RawReading(socket, stopsAfter);
    const lines = Object.entries({ host, connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
    socket.write(`${method} ${pathname}${search} HTTP/${version}\r\n${lines.join('')}${length}\r\n${body}`);
    if (stopsAfter === 0) socket.pause();
    return reading;
  }

  /** All bytes received so far, as text, with headers and chunk sizes. */
  get text(): string {
    return Buffer.concat(this.parts).toString('latin1');
  }

  /** Number of bytes received so far. */
  get bytes(): number {
    return this.size;
  }

  stop(): void {
    this.socket.pause();
  }

  readOn(): void {
    this.stopsAfter = Infinity;
    this.socket.resume();
  }

  leave(): void {
    this.socket.destroy();
  }

  private take(part: Buffer): void {
    this.parts.push(part);
    this.size += part.length;
    if (this.size >= this.stopsAfter) this.socket.pause();
  }
}

/**
 * Parses an answer as HTTP clients do. A chunked body ends with its last chunk, and a body with
 * `content-length` after this number of bytes. Any other body ends when the connection ends.
 */
function endOf(bytes: Buffer, isReset: boolean): RawEnd {
  const at = bytes.indexOf('\r\n\r\n');
  if (at < 0) return { status: 0, type: '', body: '', isWhole: false };
  const head = bytes.toString('latin1', 0, at);
  const raw = bytes.subarray(at + 4);
  const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0);
  const type = /^content-type: ([^;\r]*)/im.exec(head)?.[1] ?? '';
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  const end = (body: Buffer, isWhole: boolean): RawEnd => ({ status, type, body: body.toString(), isWhole });
  if (/^transfer-encoding: chunked/im.test(head)) return end(...unchunked(raw));
  if (length !== undefined) return end(raw, raw.length === Number(length));
  return end(raw, status === 204 || !isReset);
}

function unchunked(raw: Buffer): [Buffer, boolean] {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = raw.indexOf('\r\n', at);
    const size = line < 0 ? '' : raw.toString('latin1', at, line);
    if (!/^[\da-f]+$/i.test(size)) return [Buffer.concat(parts), false];
    const length = Number.parseInt(size, 16);
    const begin = line + 2;
    if (length === 0) return [Buffer.concat(parts), raw.toString('latin1', begin) === '\r\n'];
    parts.push(raw.subarray(begin, begin + length));
    if (raw.length < begin + length + 2) return [Buffer.concat(parts), false];
    at = begin + length + 2;
  }
}

/**
 * Returns the data of the events of a stream, in order. Fails if an event is malformed, or if a complete
 * answer has bytes after its last event.
 */
export function dataOf({ body, isWhole }: RawEnd): readonly unknown[] {
  const events = body.split('\n\n');
  const rest = events.pop();
  if (isWhole) expect(rest).toBe('');
  return events.flatMap((event) => {
    const lines = event.split('\n');
    for (const line of lines) expect(line).toMatch(/^(?:(?:id|event|retry|data):|:)/);
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim());
    const text = data.join('\n');
    return text === '' ? [] : [JSON.parse(text) as unknown];
  });
}
