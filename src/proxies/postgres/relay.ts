import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Session } from '../../gate/session';
import { FAULT_MESSAGE } from '../../gate/refusal';
import { RecordingFailed } from '../../gate/ports/session-end';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import { resultWithin } from '../../kernel/async/timeout';
import type { CommandReader } from './commands/command-reader';
import { CLIENT_LOST, type Ending, HUNG_UP, CLIENT_LEFT, SERVER_ENDED, SERVER_LOST, endedBy } from './ending';
import { PipelineState } from './pipeline/pipeline-state';
import { Inbound } from '../kit/inbound';
import { ReadSlabs } from '../kit/read-slabs';
import { type OpenSession, STOPPING } from '../kit/open-sessions';
import type { DurableWriter } from '../../gate/durable-writer';
import { SocketSink } from '../kit/socket-sink';
import { EncodingChanged, type ResultReader } from './results/result-reader';
import { type ReaderOptions, relayReaders } from './relay-readers';
import { TargetCancels } from './target-cancels';
import { errorResponse } from './wire/error-fields';
import { ProtocolFault } from './wire/message-reader';
import { WireMessageTracker } from './wire/message-tracker';
import { Spans } from './wire/spans';

const ENCODING = 'The gateway reads texts in UTF8 only; do not change client_encoding.';

/** Number of dropped bytes of a refused result after which the gateway cancels the command. */
const CANCEL_FROM_BYTES = 1024 * 1024;
/** Maximum time for which a target that does not answer delays the end of a session. */
const CANCEL_WITHIN_MS = 1_000;

export interface RelayOptions extends ReaderOptions {
  readonly client: Socket;
  /** Bytes that the client sent after sign-in. */
  readonly fromClient: Buffer;
  readonly server: Socket;
  readonly fromServer: Buffer;
  /** Requests the server to cancel its running command. Resolves when the request is sent; never rejects. */
  readonly cancel: () => Promise<void>;
  /** Idle timeout in milliseconds; 0 for none. */
  readonly idleMs: number;
}

/** Forwards messages between one client and its server, from the first command until either side ends. */
export class Relay implements OpenSession {
  private readonly log = new Logger(Relay.name);
  private readonly pipelineState = new PipelineState();
  private readonly toServer = new Spans();
  private readonly toClient = new Spans();
  private readonly commands: CommandReader;
  private readonly results: ResultReader;
  private readonly cancels: TargetCancels;
  private readonly serverWriter: DurableWriter;
  private readonly clientWriter: DurableWriter;
  private readonly fromClient: Inbound;
  private readonly fromServer: Inbound;
  /** Memory for the data that the server sends. */
  private readonly slabs: ReadSlabs;
  private readonly idle: NodeJS.Timeout | undefined;
  private clientEnded = false;
  private isOver = false;
  private isFinishing = false;
  private finished!: (ending: Ending) => void;

  /** Resolves when the relay has ended and forwards nothing more in either direction. */
  readonly ended = new Promise<Ending>((resolve) => {
    this.finished = resolve;
  });

  constructor(
    private readonly session: Session,
    private readonly ends: RelayOptions,
  ) {
    const { pipelineState, toServer, toClient } = this;
    const failed = (error: unknown): void => this.fail(error);
    const readers = relayReaders(session, ends, { pipelineState, toServer, toClient }, () =>
      this.sendCommands(),
    );
    this.commands = readers.commands;
    this.results = readers.results;
    const isRunning = (): boolean => !this.isOver && !pipelineState.isIdle;
    this.cancels = new TargetCancels(ends.cancel, isRunning, () => this.fromClient.breathe());
    const toServerRoom = (): void => this.fromClient.breathe();
    const toClientRoom = (): void => this.fromServer.breathe();
    this.serverWriter = session.toTarget(new SocketSink(ends.server), { room: toServerRoom, failed });
    this.clientWriter = session.toClient(
      new SocketSink(ends.client),
      { room: toClientRoom, failed },
      new WireMessageTracker(),
    );
    ends.server.on('drain', toServerRoom);
    ends.client.on('drain', toClientRoom);
    this.fromClient = new Inbound(ends.client, this.commands, () => this.flushCommands(), {
      ended: () => this.clientHasEnded(),
      failed,
      mustRest: () => this.serverWriter.isFull || pipelineState.isFull || this.cancels.isStoppingResult,
      abandoned: () => this.serverWriter.abandon(),
    });
    this.fromServer = new Inbound(ends.server, this.results, () => this.flushResults(), {
      ended: () => this.end(this.serverEnding()),
      failed,
      mustRest: () => this.clientWriter.isFull,
      abandoned: () => this.clientWriter.abandon(),
      settled: () => this.resultsSettled(),
    });
    this.slabs = new ReadSlabs(() => this.clientWriter.written);
    if (ends.idleMs > 0) this.idle = setTimeout(() => this.wasIdle(), ends.idleMs).unref();
  }

  start(): void {
    const { client, server, fromClient, fromServer } = this.ends;
    // Keep the socket open after the server ends, because its last messages may wait to be recorded.
    server.allowHalfOpen = true;
    const clientLost = (): void =>
      this.end(this.clientEnded || this.commands.saidGoodbye ? this.leaving() : CLIENT_LOST, 'now');
    // The client may have left while the gateway connected to the target.
    if (client.destroyed) return clientLost();
    client.once('close', clientLost);
    // Ignores errors of the server's socket, because the `close` event follows, which `Inbound` handles.
    server.on('error', () => undefined);
    const { ended } = this.session;
    const killed = (): void => this.killed(ended.reason as Error);
    if (ended.aborted) return killed();
    ended.addEventListener('abort', killed, { once: true });
    this.fromServer.start(fromServer, this.slabs.copyOf);
    this.fromClient.start(fromClient);
  }

  /** Cancels the client's running command, if any. Resolves when the request has been sent. */
  cancel(): Promise<void> {
    return this.cancels.cancel();
  }

  /** Called when the gateway stops: running commands may finish, and no new command begins. */
  finish(): void {
    this.isFinishing = true;
    if (this.isAtRest) this.end(endedBy('57P01', STOPPING));
  }

  abort(): void {
    this.end(endedBy('57P01', STOPPING), 'now');
  }

  private get isAtRest(): boolean {
    return this.pipelineState.isIdle && this.results.status === 'I';
  }

  private flushCommands(): MaybePromise<void> {
    this.idle?.refresh();
    const paused = this.commands.pause();
    this.sendCommands();
    // `pause` may wait for the answer to the commands that were just sent.
    return paused?.then(() => this.sendCommands());
  }

  private sendCommands(): void {
    this.serverWriter.write(this.toServer.takePieces());
  }

  private flushResults(): MaybePromise<void> {
    this.idle?.refresh();
    const paused = this.results.pause();
    return paused instanceof Promise ? paused.then(() => this.sendResults()) : this.sendResults();
  }

  private sendResults(): void {
    // Sends nothing after the end. Results that were still being screened at the end are only recorded.
    if (this.isOver) return;
    this.clientWriter.write(this.toClient.takePieces());
    if (this.results.discardsMoreThan(CANCEL_FROM_BYTES)) void this.cancels.stopResult();
    if (this.ends.client.isPaused()) this.fromClient.breathe();
    if (this.isFinishing && this.isAtRest) this.end(endedBy('57P01', STOPPING));
  }

  private resultsSettled(): void {
    if (!this.toClient.isEmpty) return;
    if (this.pipelineState.isIdle) this.slabs.forget();
    else this.slabs.handled({ unread: this.results.unread, accepted: this.clientWriter.accepted });
  }

  /** Ends the sending side to the server, because the client sent Terminate or closed its sending side. */
  private clientHasEnded(): void {
    this.clientEnded = true;
    void this.serverWriter.end();
  }

  private leaving(): Ending {
    return this.commands.saidGoodbye ? CLIENT_LEFT : HUNG_UP;
  }

  private serverEnding(): Ending {
    if (this.commands.saidGoodbye || this.clientEnded) return this.leaving();
    return this.results.saidWhy ? SERVER_ENDED : SERVER_LOST;
  }

  private killed(reason: Error): void {
    if (reason instanceof RecordingFailed) this.fail(reason);
    else this.end(endedBy('57P01', reason.message), 'now');
  }

  private wasIdle(): void {
    if (this.pipelineState.isIdle) this.end(endedBy('57P05', 'The session was idle for too long.'));
    else this.idle?.refresh();
  }

  private fail(error: unknown): void {
    if (this.isOver) return;
    if (error instanceof ProtocolFault) return this.end(endedBy('08P01', error.message), 'now');
    if (error instanceof EncodingChanged) return this.end(endedBy('0A000', ENCODING), 'now');
    this.log.error({ err: error, session: this.session.id }, 'A PostgreSQL session had to be ended');
    this.end(endedBy('58000', FAULT_MESSAGE), 'now');
  }

  /** Ends the relay. @param how `now` drops messages that still wait to be recorded. */
  private end(ending: Ending, how: 'now' | 'after all' = 'after all'): void {
    if (this.isOver) return;
    this.isOver = true;
    this.session.stopJudging();
    const isRunning = !this.pipelineState.isIdle;
    clearTimeout(this.idle);
    this.pipelineState.release();
    const lastWord = ending.lastWord && errorResponse(ending.lastWord);
    // Takes the unsent messages first, because `stop` drops the pending events that these messages wait for.
    const unsent = this.toClient.takePieces();
    if (how === 'now') this.clientWriter.cut(lastWord, unsent);
    else this.clientWriter.write(unsent);
    const atRest = Promise.all([this.fromClient.stop(), this.fromServer.stop()]);
    // Commands that still wait to be recorded must not reach the server.
    this.serverWriter.drop();
    void this.leaveServer(isRunning);
    // Waits for both, so that results that are still being screened are recorded before the reason for the
    // end.
    const allSent = this.clientWriter.end(lastWord);
    void Promise.all([atRest, allSent]).then(() => this.finished(ending));
  }

  /**
   * Leaves the server. First cancels a running command, because a server notices a lost client only when it
   * next writes to the client.
   */
  private async leaveServer(isRunning: boolean): Promise<void> {
    const { server, cancel } = this.ends;
    if (isRunning && !server.destroyed) await resultWithin(cancel(), CANCEL_WITHIN_MS);
    server.destroy();
  }
}
