import { API } from '../api/client';

/** Maximum bytes that one side sends before the other has taken them; the gateway has the same limit. */
const WINDOW_BYTES = 256 * 1024;
/** Maximum size of a message: what is longer is sent in pieces. */
const PIECE_BYTES = 16 * 1024;
/** Bytes of output after which the page reports that they are taken. */
const TAKEN_BYTES = 32 * 1024;
const ENCODER = new TextEncoder();

interface GatewayMessage {
  readonly type: string;
  readonly bytes?: number;
  readonly text?: string;
  readonly exit_code?: number | null;
}

/** A connection to a server, and who opens it. */
export interface ServerPlace {
  readonly connection: string;
  /** Id of the person for whom the page was opened. */
  readonly person: string;
  readonly reason: string;
}

/** The end of a link. */
export interface LinkEnd {
  /** Exit code of the program; null if the gateway had none; undefined if the connection was lost. */
  readonly exitCode: number | null | undefined;
  /** Whether the gateway had opened the link at all. */
  readonly wasOpen: boolean;
}

interface Handlers {
  /** Takes output. `taken` must be called once it is shown or used. */
  readonly output: (bytes: Uint8Array, taken: () => void) => void;
  /** Takes a sentence of the gateway that is no output. In a terminal, sentences are part of the output. */
  readonly said?: (text: string) => void;
  readonly ended: (end: LinkEnd) => void;
}

/**
 * A program on a server, over a WebSocket of the gateway. Neither side sends more than the other has granted,
 * because a browser reads whatever arrives, and what is sent may be long.
 */
export class ServerLink {
  private readonly socket: WebSocket;
  private readonly queue: Uint8Array<ArrayBuffer>[] = [];
  private untaken = 0;
  private taken = 0;
  private wasOpen = false;
  private exitCode: number | null | undefined;

  /** @param opening further fields of the first message */
  constructor(
    purpose: 'terminal' | 'files',
    { connection, person, reason }: ServerPlace,
    private readonly handlers: Handlers,
    opening: object = {},
  ) {
    const name = encodeURIComponent(connection);
    const path = purpose === 'terminal' ? `${API}/terminals/${name}` : `${API}/file-transfers/${name}`;
    const address = new URL(path, location.origin);
    address.protocol = address.protocol.replace('http', 'ws');
    this.socket = new WebSocket(address);
    this.socket.binaryType = 'arraybuffer';
    this.socket.addEventListener('open', () => {
      this.wasOpen = true;
      this.tell({ type: 'open', person, ...opening, ...(reason === '' ? {} : { reason }) });
      this.sendGranted();
    });
    this.socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data === 'string') return this.take(data);
      handlers.output(new Uint8Array(data), () => this.hasTaken(data.byteLength));
    });
    this.socket.addEventListener('close', () =>
      handlers.ended({ exitCode: this.exitCode, wasOpen: this.wasOpen }),
    );
  }

  type(text: string): void {
    this.send(ENCODER.encode(text));
  }

  /** @param text a character for each byte, such as reports of the mouse */
  typeBytes(text: string): void {
    this.send(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  }

  resize(columns: number, rows: number): void {
    this.tell({ type: 'resize', columns, rows });
  }

  close(): void {
    this.socket.close();
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      this.queue.push(bytes.subarray(at, at + PIECE_BYTES));
    this.sendGranted();
  }

  /** Input that is sent before the link is open waits for it. */
  private sendGranted(): void {
    while (this.isOpen) {
      const [piece] = this.queue;
      if (piece === undefined || this.untaken + piece.length > WINDOW_BYTES) return;
      this.queue.shift();
      this.untaken += piece.length;
      this.socket.send(piece);
    }
  }

  private take(text: string): void {
    const message = JSON.parse(text) as GatewayMessage;
    if (message.type === 'end') this.exitCode = message.exit_code ?? null;
    if (message.type === 'say') this.handlers.said?.(message.text ?? '');
    if (message.type !== 'read') return;
    this.untaken -= message.bytes ?? 0;
    this.sendGranted();
  }

  private hasTaken(bytes: number): void {
    this.taken += bytes;
    if (this.taken < TAKEN_BYTES) return;
    this.tell({ type: 'read', bytes: this.taken });
    this.taken = 0;
  }

  private tell(message: object): void {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
  }

  private get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }
}
