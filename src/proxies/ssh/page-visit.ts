import type { WindowChangeInfo } from 'ssh2';
import { FILES_CHANNEL } from '../../languages/file-operation';
import { AppError } from '../../kernel/app-error';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import type { PortalCaller } from '../../gate/ports/portal-callers';
import { type OpenSession, STOPPING } from '../kit/open-sessions';
import type { OpenChannels } from './admitted-channels';
import type { RunningRequests, StartedChannel, Terminal } from './channels/channel-requests';
import { EXIT_BLOCKED } from '../../gate/ports/session-end';
import { type ChannelEnding, channelEndedBy, sentenceOf } from './channels/ending';
import type { ServedChannel } from './channels/served-channel';
import type { OpenMessage, PageMessage } from './page/page-messages';
import { PageSink } from './page/page-sink';
import type { PageSocket } from './page/page-socket';

/** Time within which the first message of a page must come. */
const OPENS_WITHIN_MS = 10_000;
/** Interval of the check whether the sign-in at the portal lasts: an end is seen within 5 s. */
const CONFIRM_EVERY_MS = 2_000;
/** Type of the terminals of the portal: the one that xterm.js emulates. */
const TERMINAL = 'xterm-256color';

/** One terminal, or one look at the files, of a page: from its first message to its end. */
export class PageVisit implements OpenSession {
  private readonly sink: PageSink;
  private readonly confirming: PeriodicTask;
  private readonly idle: NodeJS.Timeout | undefined;
  private served: ServedChannel | undefined;
  private running: RunningRequests | undefined;
  private opened: ((message: OpenMessage | undefined) => void) | undefined;
  /** Whether the person has typed since the last check of the sign-in. */
  private isUsed = false;
  /** Why the visit ends, if that was known before it was served. */
  private ending: ChannelEnding | undefined;

  /** @param idleMs time without any data after which the session ends; 0 for none */
  constructor(
    private readonly socket: PageSocket,
    private readonly caller: PortalCaller,
    idleMs: number,
  ) {
    this.sink = new PageSink(socket);
    socket.onMessage = (message) => this.receive(message);
    socket.onInput = () => void (this.isUsed = true);
    if (idleMs > 0)
      this.idle = setTimeout(() => this.end(channelEndedBy('The session was idle for too long.')), idleMs);
    this.idle?.unref();
    this.confirming = new PeriodicTask({
      everyMs: CONFIRM_EVERY_MS,
      work: () => this.confirm(),
      // The database or the identity provider does not answer. The session itself ends if that lasts.
      onError: () => undefined,
    });
  }

  /** Notes that data were sent in either direction. */
  active(): void {
    this.idle?.refresh();
  }

  /**
   * Opens the connection by `open`, which returns a sentence if that is refused, and serves the page.
   * Resolves when the recording and the page's connection are closed.
   */
  async serve(open: (reason: string | null) => Promise<OpenChannels | string>): Promise<void> {
    this.confirming.start();
    try {
      const opening = await this.opening();
      if (this.ending?.lastWord !== undefined) return await this.refuse(this.ending.lastWord);
      if (opening === undefined) return this.socket.destroy();
      const channels = this.refusalOf(opening) ?? (await open(opening.reason ?? null));
      if (typeof channels === 'string') return await this.refuse(channels);
      await this.serveBy(channels, opening);
    } finally {
      clearTimeout(this.idle);
      await this.confirming.stop();
    }
  }

  finish(): void {
    if (this.served === undefined) this.end(channelEndedBy(STOPPING));
    else this.served.finish();
  }

  abort(): void {
    this.end(channelEndedBy(STOPPING));
  }

  private end(ending: ChannelEnding): void {
    this.ending ??= ending;
    this.opened?.(undefined);
    this.served?.abort(ending);
  }

  /** Resolves with the first message of the page; undefined if there will be none. */
  private opening(): Promise<OpenMessage | undefined> {
    const { left } = this.socket;
    return new Promise((resolve) => {
      if (left.aborted || this.ending !== undefined) return resolve(undefined);
      const late = setTimeout(() => this.opened?.(undefined), OPENS_WITHIN_MS).unref();
      const gone = (): void => this.opened?.(undefined);
      this.opened = (message) => {
        clearTimeout(late);
        left.removeEventListener('abort', gone);
        this.opened = undefined;
        resolve(message);
      };
      left.addEventListener('abort', gone, { once: true });
    });
  }

  private receive(message: PageMessage): void {
    if (message.type === 'open') this.opened?.(message);
    else if (message.type === 'read') this.sink.shown(message.bytes);
    else this.running?.resize(sizeOf(message.columns, message.rows));
  }

  /** All tabs have one cookie: a page must not act for another person who signed in in another tab. */
  private refusalOf({ person }: OpenMessage): string | undefined {
    return person === this.caller.principal.subject
      ? undefined
      : 'Somebody else signed in at this browser: this page is not theirs.';
  }

  private async serveBy(channels: OpenChannels, opening: OpenMessage): Promise<void> {
    try {
      this.served = channels.serve(this.startedBy(opening));
      if (this.ending !== undefined) this.served.abort(this.ending);
      await this.served.run();
      await this.sink.ended;
    } finally {
      channels.close();
    }
  }

  private startedBy(opening: OpenMessage): StartedChannel {
    const terminal = 'columns' in opening ? terminalOf(opening.columns, opening.rows) : undefined;
    return {
      start: terminal === undefined ? { kind: 'subsystem', name: FILES_CHANNEL } : { kind: 'shell' },
      input: this.socket.input,
      sink: this.sink,
      terminal,
      environment: {},
      left: this.socket.left,
      onRequest: (running) => void (this.running = running),
    };
  }

  private async refuse(message: string): Promise<void> {
    this.sink.exitWith({ code: EXIT_BLOCKED });
    this.sink.end(this.sink.line(message));
    await this.sink.ended;
  }

  /** Ends the session if the person signed out, or may not sign in any more. */
  private async confirm(): Promise<void> {
    const { isUsed } = this;
    this.isUsed = false;
    try {
      await this.caller.identifyAgain(isUsed);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
      this.end(channelEndedBy(sentenceOf(error.message)));
    }
  }
}

function terminalOf(columns: number, rows: number): Terminal {
  return { term: TERMINAL, ...sizeOf(columns, rows), modes: {} };
}

function sizeOf(cols: number, rows: number): WindowChangeInfo {
  return { cols, rows, width: 0, height: 0 };
}
