import type { PseudoTtyInfo, ServerChannel, Session as ChannelSession, WindowChangeInfo } from 'ssh2';
import type { ClientConnection } from '../driver/client-connection';
import { CHANNEL_LEFT, CHANNEL_LOST } from './ending';
import { maySet } from './environment';

/** Request of a client that begins something in a channel. */
export type ChannelStart =
  | { readonly kind: 'exec'; readonly command: string }
  | { readonly kind: 'shell' }
  | { readonly kind: 'subsystem'; readonly name: string };

/** A terminal that a client asks for. */
export type Terminal = Pick<PseudoTtyInfo, 'term' | 'cols' | 'rows' | 'width' | 'height' | 'modes'>;

/** A channel in which a client has begun a command, a shell or a subsystem. */
export interface StartedChannel {
  readonly start: ChannelStart;
  readonly channel: ServerChannel;
  readonly terminal: Terminal | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Aborts when the client has closed the channel, or its connection. The reason is an `ChannelEnding`. */
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
const MAX_CELLS = 10_000;
/** Signals that a client may send to a program: RFC 4254, section 6.10. */
const SIGNAL = /^(?:ABRT|ALRM|FPE|HUP|ILL|INT|KILL|PIPE|QUIT|SEGV|TERM|USR1|USR2)$/;

/**
 * Collects what a client asks for in a channel, until it begins something in it. Requests that have no place
 * here are refused by the driver: X11, agents, unknown types.
 */
export function onceStarted(
  session: ChannelSession,
  connection: ClientConnection,
  started: (channel: StartedChannel) => void,
): void {
  const environment: Record<string, string> = {};
  const leaving = new AbortController();
  let terminal: Terminal | undefined;
  let running: RunningRequests | undefined;
  const forget = connection.onLeft(() => leaving.abort(CHANNEL_LOST));
  session.on('close', () => {
    forget();
    leaving.abort(CHANNEL_LEFT);
  });
  session.on('env', (accept, reject, info) => {
    const { key: name, val: value } = info;
    const isAllowed = maySet(name, value);
    if (isAllowed) environment[name] = value;
    answer(isAllowed, accept, reject);
  });
  session.on('pty', (accept, reject, info: Terminal | undefined) => {
    const isAllowed = info !== undefined && TERM.test(info.term) && isSize(info);
    if (isAllowed) terminal = info;
    answer(isAllowed, accept, reject);
  });
  session.on('window-change', (accept, reject, info) => {
    const isAllowed = terminal !== undefined && isSize(info);
    if (isAllowed) running?.resize(info);
    answer(isAllowed, accept, reject);
  });
  session.on('signal', (accept, reject, { name }) => {
    const isAllowed = running !== undefined && SIGNAL.test(name);
    if (isAllowed) running?.signal(name);
    answer(isAllowed, accept, reject);
  });
  const begin = (start: ChannelStart, accept: () => ServerChannel | undefined): void => {
    // Accepted at once, because data that the client sends before would be lost. A refusal comes later.
    const channel = accept();
    if (channel === undefined) return;
    connection.watch(channel);
    const onRequest = (take: RunningRequests): void => void (running = take);
    started({ start, channel, terminal, environment, left: leaving.signal, onRequest });
  };
  session.on('exec', (accept, _, { command }) => begin({ kind: 'exec', command }, accept));
  session.on('shell', (accept) => begin({ kind: 'shell' }, accept));
  session.on('subsystem', (accept, _, { name }) => begin({ kind: 'subsystem', name }, accept));
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
