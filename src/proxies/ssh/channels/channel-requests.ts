import type { Readable } from 'node:stream';
import type { PseudoTtyInfo, ServerChannel, Session as ChannelSession, WindowChangeInfo } from 'ssh2';
import type { ClientConnection } from '../driver/client-connection';
import { CHANNEL_LEFT, CHANNEL_LOST } from './ending';
import type { ClientSink } from './client-sink';
import { maySet } from './environment';

/** Request of a client that begins something in a channel. */
export type ChannelStart =
  | { readonly kind: 'exec'; readonly command: string }
  | { readonly kind: 'shell' }
  | { readonly kind: 'subsystem'; readonly name: string };

/** A terminal that a client asks for. */
export type Terminal = Pick<PseudoTtyInfo, 'term' | 'cols' | 'rows' | 'width' | 'height' | 'modes'>;

/** A command, a shell or a subsystem that a client has begun, or the shell of a terminal in the portal. */
export interface StartedChannel {
  readonly start: ChannelStart;
  /** The way from the client to the program. */
  readonly input: Readable;
  /** The way to the client. */
  readonly sink: ClientSink;
  readonly terminal: Terminal | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Aborts when the client has left, or its connection is lost. The reason is a `ChannelEnding`. */
  readonly left: AbortSignal;
  /** Gives requests that come while the program runs. */
  readonly onRequest: (take: RunningRequests) => void;
}

/** Requests of a client to a running program. */
export interface RunningRequests {
  resize(size: WindowChangeInfo): void;
  signal(name: string): void;
}

/** Types of terminals: names of terminfo entries, or none. */
const TERM = /^[\w.+-]{0,64}$/;
/** Maximum columns and rows of a terminal, so that no recording or server must make a larger one. */
export const MAX_CELLS = 10_000;
/** Maximum number of variables of a channel. There are 16 of the language of texts. */
const MAX_VARIABLES = 32;
/** Signals that a client may send to a program: RFC 4254, section 6.10. */
const SIGNAL = /^(?:ABRT|ALRM|FPE|HUP|ILL|INT|KILL|PIPE|QUIT|SEGV|TERM|USR1|USR2)$/;

/**
 * Collects what a client asks for in a channel, until it begins something in it. Requests that have no place
 * here are refused by the driver: X11, agents, unknown types.
 * @param sinkOf makes the way to the client
 */
export function onceStarted(
  session: ChannelSession,
  connection: ClientConnection,
  sinkOf: (channel: ServerChannel, hasTerminal: boolean) => ClientSink,
  started: (channel: StartedChannel) => void,
): void {
  const leaving = new AbortController();
  let forgetChannel: (() => void) | undefined;
  const forget = connection.onLeft(() => leaving.abort(CHANNEL_LOST));
  session.on('close', () => {
    forget();
    forgetChannel?.();
    leaving.abort(CHANNEL_LEFT);
  });
  const requests = new ChannelRequests(session);
  const begin = (start: ChannelStart, accept: () => ServerChannel | undefined): void => {
    // Accepted at once, because data that the client sends before would be lost. A refusal comes later.
    const channel = accept();
    if (channel === undefined) return;
    forgetChannel = connection.watch(channel);
    const { terminal, environment } = requests;
    const onRequest = (take: RunningRequests): void => void (requests.running = take);
    const sink = sinkOf(channel, terminal !== undefined);
    started({ start, input: channel, sink, terminal, environment, left: leaving.signal, onRequest });
  };
  session.on('exec', (accept, _, { command }) => begin({ kind: 'exec', command }, accept));
  session.on('shell', (accept) => begin({ kind: 'shell' }, accept));
  session.on('subsystem', (accept, _, { name }) => begin({ kind: 'subsystem', name }, accept));
}

/** The requests of a channel that begin nothing: variables, a terminal, its size, and signals. */
class ChannelRequests {
  readonly environment: Record<string, string> = {};
  terminal: Terminal | undefined;
  running: RunningRequests | undefined;

  constructor(session: ChannelSession) {
    session.on('env', (accept, reject, info) => answer(this.setVariable(info.key, info.val), accept, reject));
    session.on('pty', (accept, reject, info: Terminal | undefined) => {
      const isAllowed = info !== undefined && TERM.test(info.term) && isSize(info);
      if (isAllowed) this.terminal = info;
      answer(isAllowed, accept, reject);
    });
    session.on('window-change', (accept, reject, info) => {
      const isAllowed = this.terminal !== undefined && isSize(info);
      if (isAllowed) this.running?.resize(info);
      answer(isAllowed, accept, reject);
    });
    session.on('signal', (accept, reject, { name }) => {
      const isAllowed = this.running !== undefined && SIGNAL.test(name);
      if (isAllowed) this.running?.signal(name);
      answer(isAllowed, accept, reject);
    });
  }

  /** @returns whether the client may set the variable */
  private setVariable(name: string, value: string): boolean {
    const isNew = !Object.hasOwn(this.environment, name);
    if (!maySet(name, value) || (isNew && Object.keys(this.environment).length >= MAX_VARIABLES))
      return false;
    this.environment[name] = value;
    return true;
  }
}

function isSize({ cols, rows }: Pick<Terminal, 'cols' | 'rows'>): boolean {
  return cols <= MAX_CELLS && rows <= MAX_CELLS;
}

/** Requests that want no answer have no functions for it. */
function answer(
  isAllowed: boolean,
  accept: (() => void) | undefined,
  reject: (() => void) | undefined,
): void {
  if (isAllowed) accept?.();
  else reject?.();
}
