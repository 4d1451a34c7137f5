import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { Logger } from '@nestjs/common';
import { settlesWithin } from '../kernel/async/timeout';

/** Interval of the check whether the shell of `npm start` still exists. */
const LOOK_FOR_SHELL_MS = 500;

/**
 * Maximum wait for the start to end after a signal has interrupted it. Then the shutdown begins in any case.
 */
const START_WITHIN_MS = 10_000;

/** Collects the steps that stop the gateway. Runs them once, in reverse order. */
export class Started {
  private readonly steps: (() => Promise<void>)[] = [];
  private readonly leaving: (() => void)[] = [];
  private stopped: Promise<void> | undefined;

  onStop(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  /** Registers a function that runs before all stop steps, because those may wait for load balancers. */
  onLeave(leave: () => void): void {
    this.leaving.push(leave);
  }

  stop(): Promise<void> {
    this.stopped ??= this.run();
    return this.stopped;
  }

  /** Runs all steps, even if one fails, because otherwise the database would be left running. */
  private async run(): Promise<void> {
    for (const leave of this.leaving) leave();
    const faults: unknown[] = [];
    for (const step of this.steps.toReversed()) await step().catch((error: unknown) => faults.push(error));
    if (faults.length > 0) throw faults[0];
  }
}

/**
 * Stops on SIGTERM and SIGINT, also during the start. Ignores a second signal, because a terminal and npm
 * both send one for the same Ctrl-C.
 */
export function stopOnSignal(started: Started, starting: Promise<void>): void {
  const log = new Logger('Shutdown');
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.log(`${signal}: finishing what runs`);
    await settlesWithin(starting, START_WITHIN_MS);
    await started.stop();
    process.exit(0);
  };
  const stopBecauseOf = (reason: string): void => {
    stop(reason).catch((error: unknown) => {
      log.error({ err: error }, 'The shutdown failed');
      process.exit(1);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopBecauseOf(signal));
  whenNpmIsGone(() => stopBecauseOf('npm was stopped'));
}

/**
 * `npm start` runs the gateway in a shell that dies of npm's SIGTERM without passing it on. Without this
 * check, the gateway would keep running unnoticed.
 */
function whenNpmIsGone(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const shell = process.ppid;
  setInterval(() => {
    if (process.ppid !== shell) stop();
  }, LOOK_FOR_SHELL_MS).unref();
}

/**
 * Tracks the connections of an HTTP server, to close it without cutting an answer. `server.close()` alone is
 * not enough: it waits forever for connections without a request, which browsers open in advance, and it
 * continues to serve kept-alive connections.
 */
export class Connections {
  private readonly open = new Set<Socket>();
  /**
   * Connections in a TLS handshake, by the client's address and port, because TLS makes a new socket object
   * for the same connection.
   */
  private readonly handshakes = new Map<string, Socket>();
  private readonly answering = new Map<Socket, ServerResponse>();
  private leaving = false;
  private draining = false;

  constructor(private readonly server: Server) {
    const isTls = server instanceof TlsServer;
    if (isTls) server.on('connection', (socket: Socket) => this.beginHandshake(socket));
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.handshakes.delete(peerOf(socket));
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
    server.prependListener('request', ({ socket }, response) => {
      this.answering.set(socket, response);
      if (this.leaving) endAfter(response);
      response.once('close', () => {
        this.answering.delete(socket);
        if (this.draining) socket.destroySoon();
      });
    });
  }

  /**
   * Ends each connection after its next answer. Clients then open new connections, which load balancers
   * lead to another gateway. Otherwise `drain` could close a kept-alive connection while a request arrives.
   */
  leave(): void {
    this.leaving = true;
    for (const response of this.answering.values()) endAfter(response);
  }

  /**
   * Stops accepting, closes idle connections, lets current answers finish without further requests, and
   * closes the rest at the time-out.
   */
  drain(limitMs: number): void {
    this.leave();
    this.draining = true;
    this.server.close();
    for (const socket of this.handshakes.values()) socket.destroy();
    for (const socket of this.open) if (!this.answering.has(socket)) socket.destroy();
    const late = setTimeout(() => this.breakOff(), limitMs).unref();
    this.server.once('close', () => clearTimeout(late));
  }

  /**
   * Aborts each running answer before its connection is closed, so that the client can see that the answer is
   * incomplete (`platform/http/edge/broken-answers.ts`).
   */
  private breakOff(): void {
    for (const response of this.answering.values()) response.destroy();
    this.server.closeAllConnections();
  }

  private beginHandshake(socket: Socket): void {
    const peer = peerOf(socket);
    this.handshakes.set(peer, socket);
    socket.once('close', () => this.handshakes.get(peer) === socket && this.handshakes.delete(peer));
  }
}

/**
 * Makes Node.js send `Connection: close`. A header set here would be lost, because an answer from another
 * worker sets all headers again.
 */
function endAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
