import type { Socket } from 'node:net';
import type { Connection, ServerChannel } from 'ssh2';
import type { ForwardEnd } from '../../../targets/ssh/forwards/forward-end';
import { type OpeningRefusal, refuseOpening } from './opening-parts';

/** The origin of a stream, in the words of the side that asks for it. */
export interface StreamOrigin {
  readonly host: string;
  readonly port: number;
}

/** A client asks for a stream to an end that the server reaches: RFC 4254, section 7.2. */
export interface StreamRequest {
  /** The end, in the words of the client. */
  readonly to: ForwardEnd;
  /** Undefined for a socket. */
  readonly origin: StreamOrigin | undefined;
  /** Returns undefined if the client has left. */
  accept(): ServerChannel | undefined;
  refuse(refusal: OpeningRefusal): void;
}

/** A client asks the server to listen: RFC 4254, section 7.1. The protocol has no words for a refusal. */
export interface ListenRequest {
  /** The end, in the words of the client. */
  readonly at: ForwardEnd;
  /** @param port the port that the server chose, if the client asked for port 0 */
  accept(port: number): void;
  refuse(): void;
}

/** Takes what a client asks for outside of sessions. */
export interface ForwardTaker {
  stream(request: StreamRequest): void;
  listen(request: ListenRequest): void;
  /** The client wants no more streams from an end. Answers by `accept` or `refuse`, too. */
  cancel(request: ListenRequest): void;
}

/** Maximum number of requests that come before there is a taker. */
const MAX_EARLY = 100;
/** Time in which a client must answer that it takes a stream. */
const TAKEN_WITHIN_MS = 15_000;

const UNREADABLE = 'This request cannot be read.';

type Answer = ((port?: number) => void) | undefined;

/** Requests for forwards in one client's connection, and the way to give it streams. */
export class ForwardRequests {
  private taker: ForwardTaker | undefined;
  private early: ((taker: ForwardTaker) => void)[] = [];

  constructor(
    private readonly driver: Connection,
    private readonly socket: Socket,
  ) {
    driver.on('tcpip', (accept, reject, { destIP, destPort, srcIP, srcPort }) =>
      this.ask(tcpEnd(destIP, destPort), { host: srcIP, port: srcPort }, accept, reject),
    );
    driver.on('openssh.streamlocal', (accept, reject, { socketPath }) =>
      this.ask({ kind: 'socket', path: socketPath }, undefined, accept, reject),
    );
    // With this listener, the driver heeds `no-more-sessions@openssh.com`.
    driver.on('request', (accept: Answer, reject: (() => void) | undefined, name: string, info: object) => {
      const at = endOf(info);
      const refuse = (): void => reject?.();
      if (at === undefined) return refuse();
      const request = { at, accept: (port: number) => accept?.(port), refuse };
      const isCancelled = name.startsWith('cancel-');
      this.pass((taker) => (isCancelled ? taker.cancel(request) : taker.listen(request)), refuse);
    });
  }

  /** Gives all requests to `taker`, with those that came before. */
  take(taker: ForwardTaker): void {
    this.taker = taker;
    for (const give of this.early.splice(0)) give(taker);
  }

  /**
   * Offers the client a stream from an end at which the server listens. Rejects if the client refuses it, or
   * does not answer in time, or leaves.
   * @param from the end, as the client wrote it, with the port that the server chose
   */
  offer(from: ForwardEnd, origin: StreamOrigin | undefined): Promise<ServerChannel> {
    return new Promise((resolve, reject) => {
      // The driver answers nothing for a client that has left.
      if (this.socket.destroyed) return reject(new Error('the client left'));
      let isAwaited = true;
      const settled = (): void => {
        isAwaited = false;
        clearTimeout(late);
        this.socket.off('close', gone);
      };
      const failed = (error: Error): void => (settled(), reject(error));
      const gone = (): void => failed(new Error('the client left'));
      const late = setTimeout(() => failed(new Error('the client did not answer')), TAKEN_WITHIN_MS);
      this.socket.once('close', gone);
      const opened = (error: Error | undefined, channel: ServerChannel): void => {
        if (!isAwaited) return error === undefined ? channel.close() : undefined;
        if (error !== undefined) return failed(error);
        settled();
        resolve(channel);
      };
      const { host, port } = origin ?? { host: '', port: 0 };
      if (from.kind === 'tcp') this.driver.forwardOut(from.host, from.port, host, port, opened);
      else this.driver.openssh_forwardOutStreamLocal(from.path, opened);
    });
  }

  private ask(
    to: ForwardEnd | undefined,
    origin: StreamOrigin | undefined,
    accept: () => ServerChannel,
    reject: () => void,
  ): void {
    const refuse = (refusal: OpeningRefusal): void => refuseOpening(this.driver, reject, refusal);
    if (to === undefined) return refuse({ reason: 'prohibited', text: UNREADABLE });
    const request = { to, origin, accept: () => accept() as ServerChannel | undefined, refuse };
    this.pass(
      (taker) => taker.stream(request),
      () => refuse({ reason: 'shortage', text: 'Too many requests came at once.' }),
    );
  }

  private pass(give: (taker: ForwardTaker) => void, tooMany: () => void): void {
    if (this.taker !== undefined) give(this.taker);
    else if (this.early.length < MAX_EARLY) this.early.push(give);
    else tooMany();
  }
}

function endOf(info: object): ForwardEnd | undefined {
  if ('socketPath' in info) return { kind: 'socket', path: String(info.socketPath) };
  const { bindAddr, bindPort } = info as { readonly bindAddr: string; readonly bindPort: number };
  return tcpEnd(bindAddr, bindPort);
}

/**
 * Returns undefined for a host that the driver could not read, because its length is wrong. The driver then
 * reads on, and takes what follows for the port.
 */
function tcpEnd(host: string | undefined, port: number): ForwardEnd | undefined {
  return host === undefined ? undefined : { kind: 'tcp', host, port };
}
