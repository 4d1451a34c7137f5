import { Logger } from '@nestjs/common';
import type { ClientChannel } from 'ssh2';
import type { DurableWriter } from '../../gate/durable-writer';
import { RecordingFailed } from '../../gate/ports/session-end';
import type { Session } from '../../gate/session';
import { signalCommand } from '../../targets/ssh/driver-parts';
import type { OpenSsh } from '../../targets/ssh/open-ssh';
import { Inbound } from '../kit/inbound';
import type { StartedChannel } from './channels/channel-requests';
import {
  type ChannelEnding,
  FAULTY,
  type ProgramExit,
  PROGRAM_LOST,
  type ReportedExit,
  blockedBy,
  channelEndedBy,
  faultedBy,
  programEnded,
  programExit,
  sentenceOf,
} from './channels/ending';
import { RecordedRequests } from './streams/recorded-requests';
import { MalformedPacket } from './files/packets';
import { InputRefused } from './streams/command-reader';
import { OutputBlocked } from './streams/result-reader';
import type { InputReader, OutputReader, ReaderHooks, RelayReaders } from './streams/stream-readers';
import { TargetSink } from './streams/target-sink';

export interface ProgramRelayOptions extends Pick<StartedChannel, 'input' | 'sink' | 'left'> {
  readonly server: OpenSsh;
  readonly program: ClientChannel;
  /** Makes the readers of both directions. */
  readonly readers: (hooks: ReaderHooks) => RelayReaders;
  /** Whether the client may send anything to the program. */
  readonly takesInput: boolean;
  /** Called when something was sent in either direction. */
  readonly active: () => void;
}

/** Forwards bytes between a channel of a client and a program on the server, until either side ends. */
export class ProgramRelay {
  /** The requests of the client to the program. */
  readonly requests: RecordedRequests;
  private readonly log = new Logger(ProgramRelay.name);
  private readonly input: InputReader;
  private readonly output: OutputReader;
  private readonly errors: OutputReader;
  private readonly unreported: () => ChannelEnding;
  private readonly serverWriter: DurableWriter;
  private readonly clientWriter: DurableWriter;
  private readonly fromClient: Inbound;
  private readonly fromOutput: Inbound;
  private readonly fromErrors: Inbound;
  /** Streams of the program that have not ended: its output, its error output, and the channel itself. */
  private readonly unfinished = new Set(['output', 'errors', 'channel']);
  private readonly finishing = new Set<string>();
  private programEnding = (): ChannelEnding => PROGRAM_LOST;
  /** Whether the client may still send something to the program. */
  private mayAnswer = true;
  /** The ending, once the relay forwards nothing more. Output may still wait for the client. */
  private ending: ChannelEnding | undefined;
  /** Whether the relay waits for the client to read all output of a program that has ended. */
  private isWaiting = false;
  private finished!: (ending: ChannelEnding) => void;

  /** Resolves when the relay has ended and forwards nothing more in either direction. */
  readonly ended = new Promise<ChannelEnding>((resolve) => {
    this.finished = resolve;
  });

  constructor(
    private readonly session: Session,
    private readonly ends: ProgramRelayOptions,
  ) {
    const { input: client, sink, program, server, readers } = ends;
    const failed = (error: unknown): void => this.fail(error);
    const toServerRoom = (): void => this.fromClient.breathe();
    const toClientRoom = (): void => {
      this.fromClient.breathe();
      this.fromOutput.breathe();
      this.fromErrors.breathe();
    };
    sink.room = toClientRoom;
    const { input, output, errors, unreported } = readers({
      markError: (piece) => sink.asError(piece),
      mayWait: () => this.mayAnswer,
      isCaughtUp: (type) => (type === 'o' ? this.fromOutput : this.fromErrors).isCaughtUp,
      flushed: () => this.sendAll(),
      failed,
    });
    this.input = input;
    this.output = output;
    this.errors = errors;
    this.unreported = unreported;
    this.requests = new RecordedRequests(session, { server, program, failed });
    this.serverWriter = session.toTarget(new TargetSink(program, server, toServerRoom), {
      room: toServerRoom,
      failed,
    });
    this.clientWriter = session.toClient(sink, { room: toClientRoom, failed });
    this.fromClient = new Inbound(client, this.input, () => this.sendInput(), {
      ended: () => this.inputEnded(),
      failed,
      // The gateway answers some requests itself, so a client must read before it asks for more.
      mustRest: () =>
        this.serverWriter.isFull || this.input.isFull || (this.input.isAnswered && this.clientWriter.isFull),
      abandoned: () => this.serverWriter.abandon(),
    });
    this.fromOutput = this.inbound(program, this.output, 'output');
    this.fromErrors = this.inbound(program.stderr, this.errors, 'errors');
  }

  start(): void {
    const { input: client, program, left, takesInput } = this.ends;
    const { ended } = this.session;
    const killed = (): void => this.killed(ended.reason as Error);
    const gone = (): void => this.end(left.reason as ChannelEnding, 'now');
    if (left.aborted) return gone();
    if (ended.aborted) return killed();
    left.addEventListener('abort', gone, { once: true });
    ended.addEventListener('abort', killed, { once: true });
    // The driver repeats the exit here. Its event `exit` may come before a listener could be added.
    program.once('close', (...exit: ReportedExit) => {
      this.programEnding = this.endingBy(programExit(...exit));
      this.streamEnded('channel');
    });
    // Errors of the channels are ignored, because their `close` follows.
    for (const stream of [program, program.stderr]) stream.on('error', () => undefined);
    const nothing = Buffer.alloc(0);
    this.fromOutput.start(nothing);
    this.fromErrors.start(nothing);
    if (takesInput) this.fromClient.start(nothing);
    else {
      client.resume();
      this.inputEnded();
    }
  }

  abort(ending: ChannelEnding): void {
    this.end(ending, 'now');
  }

  private inbound(
    stream: ClientChannel | ClientChannel['stderr'],
    reader: OutputReader,
    name: string,
  ): Inbound {
    return new Inbound(stream, reader, () => this.sendOutput(reader), {
      ended: () => this.readerEnded(reader, name),
      failed: (error) => this.fail(error),
      mustRest: () => this.clientWriter.isFull,
      abandoned: () => this.clientWriter.abandon(),
    });
  }

  private inputEnded(): void {
    this.mayAnswer = false;
    void this.serverWriter.end();
  }

  private sendInput(): void {
    this.ends.active();
    this.serverWriter.write(this.input.takePieces());
  }

  private sendOutput(reader: OutputReader): void {
    this.ends.active();
    // Sends nothing after the end. What was still being screened at the end is only recorded.
    if (this.ending === undefined) this.clientWriter.write(reader.takePieces());
    if (this.ends.input.isPaused()) this.fromClient.breathe();
  }

  private sendAll(): void {
    this.sendOutput(this.output);
    this.sendOutput(this.errors);
  }

  private readerEnded(reader: OutputReader, name: string): void {
    // Called at the end of the stream, and again when it is closed.
    if (this.finishing.has(name) || this.ending !== undefined) return;
    this.finishing.add(name);
    const finish = async (): Promise<void> => {
      await reader.finish();
      this.sendOutput(reader);
      this.streamEnded(name);
    };
    finish().catch((error: unknown) => this.fail(error));
  }

  private streamEnded(name: string): void {
    this.unfinished.delete(name);
    if (this.unfinished.size === 0) this.end(this.programEnding());
  }

  /** Returns the ending of a program, which is read when all of its output is handled. */
  private endingBy(exit: ProgramExit | undefined): () => ChannelEnding {
    if (exit !== undefined) return () => programEnded(exit);
    return this.ends.server.isOpen ? this.unreported : () => PROGRAM_LOST;
  }

  private killed(reason: Error): void {
    if (reason instanceof RecordingFailed) this.fail(reason);
    else this.end(channelEndedBy(reason.message), 'now');
  }

  private fail(error: unknown): void {
    if (this.ending !== undefined && !this.isWaiting) return;
    if (error instanceof OutputBlocked || error instanceof InputRefused)
      return this.end(blockedBy(error.message), 'now');
    if (error instanceof MalformedPacket) return this.end(faultedBy(sentenceOf(error.message)), 'now');
    this.log.error({ err: error, session: this.session.id }, 'An SSH session had to be ended');
    this.end(FAULTY, 'now');
  }

  /** Ends the relay. @param how `now` drops output that still waits to be recorded, or for the client. */
  private end(ending: ChannelEnding, how: 'now' | 'after all' = 'after all'): void {
    if (this.ending !== undefined) {
      if (how === 'now') this.cutShort(ending);
      return;
    }
    this.ending = ending;
    this.isWaiting = how === 'after all';
    this.requests.stop();
    this.session.stopJudging();
    const { sink } = this.ends;
    if (how === 'now') sink.hurry();
    sink.exitWith(ending.exit ?? { code: ending.exitCode });
    const lastWord = ending.lastWord === undefined ? undefined : sink.line(ending.lastWord);
    for (const reader of [this.output, this.errors]) reader.abandon();
    if (how === 'now') this.clientWriter.cut(lastWord);
    const atRest = Promise.all(
      [this.fromClient, this.fromOutput, this.fromErrors].map((each) => each.stop()),
    );
    // Input that still waits to be recorded must not reach the server.
    this.serverWriter.drop();
    this.leaveServer(ending);
    const allSent = this.clientWriter.end(lastWord).then(() => sink.ended);
    void Promise.all([atRest, allSent]).then(() => this.finished(this.ending ?? ending));
  }

  /**
   * Ends a relay whose program has ended, while its output waits to be recorded, or for the client to read
   * it. An ending by the gateway then replaces that of the program, because the client does not get
   * everything.
   */
  private cutShort(ending: ChannelEnding): void {
    const { sink } = this.ends;
    const { lastWord } = ending;
    if (!this.isWaiting || sink.hasLeft) return;
    if (lastWord === undefined) return sink.hurry();
    this.isWaiting = false;
    this.ending = ending;
    sink.endInstead(ending.exit ?? { code: ending.exitCode }, sink.line(lastWord));
    this.clientWriter.cut();
  }

  /**
   * Leaves the server. A program that the gateway ends is killed. One whose client has left is left alone, as
   * without the gateway: it may be meant to go on.
   */
  private leaveServer({ lastWord }: ChannelEnding): void {
    const { program, server } = this.ends;
    if (lastWord !== undefined && this.unfinished.has('channel'))
      signalCommand(server.client, program, 'KILL');
    program.close();
  }
}
