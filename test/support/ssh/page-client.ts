import { WebSocket } from 'ws';
import { WINDOW_BYTES } from '../../../src/proxies/ssh/page/page-socket';
import { eventually } from '../eventually';
import type { TestGateway } from '../gateway';
import type { PortalBrowser } from '../portal';
import { Sftp } from '../../../portal/src/files/sftp';

const PIECE_BYTES = 16 * 1024;
/** Time for a shell to start, on a machine that is busy with other tests. */
const SHOWS_WITHIN_MS = 60_000;

/** The end of a program, as a page sees it. */
export interface PageEnd {
  readonly exit_code: number | null;
}

/** A page's side of a terminal, or of the files of a server, without a page. */
export class PageClient {
  /** Everything that the terminal has shown. */
  shown = '';
  shownBytes = 0;
  end: PageEnd | undefined;
  /** Sentences of the gateway that are no output. */
  readonly said: string[] = [];
  /** Takes output in place of `shown`. */
  onOutput: ((bytes: Buffer) => void) | undefined;
  private readonly queue: Buffer[] = [];
  private sent = 0;
  /** Bytes of input that the gateway has taken. */
  taken = 0;
  /** Whether the client reports that it has shown what arrived. */
  reads = true;
  private readonly left: Promise<number>;

  private constructor(readonly socket: WebSocket) {
    this.left = new Promise((resolve) => socket.once('close', (code) => resolve(code)));
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return this.take(JSON.parse(data.toString()));
      if (this.onOutput === undefined) this.shown += data.toString();
      else this.onOutput(data);
      this.shownBytes += data.length;
      if (this.reads) this.tell({ type: 'read', bytes: data.length });
    });
  }

  /** Opens a WebSocket as a browser does. Returns the client, or the status with which that was refused. */
  static async connect(
    gateway: Pick<TestGateway, 'api'>,
    connection: string,
    headers: Record<string, string>,
    path: '/terminals' | '/file-transfers' = '/terminals',
  ): Promise<PageClient | number> {
    const address = `${gateway.api.replace(/^http/, 'ws')}${path}/${encodeURIComponent(connection)}`;
    const socket = new WebSocket(address, { headers });
    return new Promise((resolve, reject) => {
      socket.once('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0);
        response.resume();
        socket.terminate();
      });
      socket.once('open', () => resolve(new PageClient(socket)));
      socket.once('error', reject);
    });
  }

  /** Opens a terminal of a person who is signed in at the portal. */
  static open(
    gateway: TestGateway,
    browser: PortalBrowser,
    connection = 'server',
    more: object = {},
  ): Promise<PageClient> {
    return PageClient.begin(gateway, browser, connection, '/terminals', { columns: 80, rows: 24, ...more });
  }

  /** Opens the files of a server, with the client of SFTP that the portal has. */
  static async files(
    gateway: TestGateway,
    browser: PortalBrowser,
    connection = 'server',
    more: object = {},
  ): Promise<{ client: PageClient; sftp: Sftp }> {
    const client = await PageClient.begin(gateway, browser, connection, '/file-transfers', more);
    const sftp = new Sftp((bytes) => client.send(Buffer.from(bytes)));
    client.onOutput = (bytes) => sftp.receive(bytes);
    void client.left.then(() => sftp.end(new Error('it is over')));
    return { client, sftp };
  }

  private static async begin(
    gateway: TestGateway,
    browser: PortalBrowser,
    connection: string,
    path: '/terminals' | '/file-transfers',
    opening: object,
  ): Promise<PageClient> {
    const headers = { cookie: browser.cookie, origin: new URL(gateway.api).origin };
    const client = await PageClient.connect(gateway, connection, headers, path);
    if (typeof client === 'number') throw new Error(`the page was refused: ${client}`);
    const { body } = await browser.call('GET', '/userinfo');
    client.tell({ type: 'open', person: body.id, ...opening });
    return client;
  }

  tell(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  type(keys: string | Buffer): void {
    this.socket.send(Buffer.from(keys));
  }

  /** Sends input as a page does: no more than the gateway has granted. */
  send(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      this.queue.push(bytes.subarray(at, at + PIECE_BYTES));
    this.sendGranted();
  }

  /** Waits until the terminal has shown the text. */
  async sees(text: string | RegExp): Promise<void> {
    const isShown = (): boolean =>
      typeof text === 'string' ? this.shown.includes(text) : text.test(this.shown);
    await eventually(`it shows ${text}`, isShown, SHOWS_WITHIN_MS).catch((error: unknown) => {
      throw new Error(`${String(error)}; it shows ${JSON.stringify(this.shown.slice(-500))}`);
    });
  }

  /** Waits until sentences beside the output have the text. */
  async hears(text: RegExp): Promise<void> {
    await eventually(`it hears ${text}`, () => text.test(this.said.join('\n')), SHOWS_WITHIN_MS);
  }

  /** Resolves with the code with which the connection was closed. */
  ended(): Promise<number> {
    return this.left;
  }

  async leave(): Promise<void> {
    this.socket.close();
    await this.left;
  }

  private sendGranted(): void {
    for (;;) {
      const [piece] = this.queue;
      if (piece === undefined || this.sent - this.taken + piece.length > WINDOW_BYTES) return;
      this.queue.shift();
      this.sent += piece.length;
      this.type(piece);
    }
  }

  private take(message: { type: string; bytes?: number; text?: string; exit_code?: number | null }): void {
    if (message.type === 'say') this.said.push(message.text?.trim() ?? '');
    if (message.type === 'end') this.end = { exit_code: message.exit_code ?? null };
    if (message.type !== 'read') return;
    this.taken += message.bytes ?? 0;
    this.sendGranted();
  }
}
