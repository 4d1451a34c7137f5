import { Logger } from '@nestjs/common';
import type { ClientChannel, ServerChannel } from 'ssh2';
import type { DurableWriter } from '../../../gate/durable-writer';
import type { Session } from '../../../gate/session';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { thenMaybe } from '../../../kernel/async/maybe-promise';
import type { OpenSsh } from '../../../targets/ssh/open-ssh';
import { Inbound } from '../../kit/inbound';
import { type ChannelEnding, FAULTY, PROGRAM_LOST, STREAM_ENDED, blockedBy } from '../channels/ending';
import { endingOfKill } from '../channels/session-entry';
import type { ClientConnection } from '../driver/client-connection';
import { InputRefused } from '../streams/command-reader';
import { TargetSink } from '../streams/target-sink';
import { StreamReader } from './stream-reader';
import { StreamSink } from './stream-sink';

/** The two ends of a forwarded stream: a channel of the client, and one of the server. */
export interface StreamEnds {
  readonly client: ServerChannel;
  readonly remote: ClientChannel;
  readonly server: OpenSsh;
}

interface StreamRelayOptions extends StreamEnds {
  readonly connection: ClientConnection;
  /** Aborts when the connection of the client is lost. The reason is an `ChannelEnding`. */
  readonly left: AbortSignal;
  /** Called when something was sent in either direction. */
  readonly active: () => void;
}

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Forwards bytes between a client and a port or socket that its server reaches, until both directions have
 * ended or either side closes its channel. Each direction may end by itself, as those of a TCP connection.
 */
export class StreamRelay {
  private readonly log = new Logger(StreamRelay.name);
  private readonly sent: StreamReader;
  private readonly received: StreamReader;
  private readonly sink: StreamSink;
  private readonly serverWriter: DurableWriter;
  private readonly clientWriter: DurableWriter;
  private readonly fromClient: Inbound;
  private readonly fromServer: Inbound;
  private readonly forgetRoom: () => void;
  /** Whether everything of a direction was forwarded, with its end. */
  private readonly forwarded = { toServer: false, toClient: false };
  private readonly closed = { server: false, client: false };
  private isOver = false;
  private finished!: (ending: ChannelEnding) => void;

  /** Resolves when nothing more is forwarded in either direction. */
  readonly ended = new Promise<ChannelEnding>((resolve) => {
    this.finished = resolve;
  });

  constructor(
    private readonly session: Session,
    private readonly ends: StreamRelayOptions,
  ) {
    const { client, remote, server, connection } = ends;
    const isKept = session.target.recording.results;
    this.sent = new StreamReader(isKept ? (chunk) => this.recordInput(chunk) : undefined);
    this.received = new StreamReader(isKept ? (content) => session.note({ type: 'o', content }) : undefined);
    const failed = (error: unknown): void => this.fail(error);
    const toServerRoom = (): void => this.fromClient.breathe();
    const toClientRoom = (): void => this.fromServer.breathe();
    this.sink = new StreamSink(client, connection);
    this.serverWriter = session.toTarget(new TargetSink(remote, server, toServerRoom), {
      room: toServerRoom,
      failed,
    });
    this.clientWriter = session.toClient(this.sink, { room: toClientRoom, failed });
    this.fromClient = this.inbound(client, this.sent, this.serverWriter);
    this.fromServer = this.inbound(remote, this.received, this.clientWriter);
    this.forgetRoom = this.sink.onRoom(toClientRoom);
    // Errors of the channels are ignored, because their `close` follows.
    for (const stream of [client, client.stderr, remote]) stream.on('error', () => undefined);
  }

  start(): void {
    const { client, remote, left } = this.ends;
    const { ended } = this.session;
    const killed = (): void => this.end(endingOfKill(ended.reason as Error));
    const gone = (): void => this.end(left.reason as ChannelEnding);
    if (left.aborted) return gone();
    if (ended.aborted) return killed();
    left.addEventListener('abort', gone, { once: true });
    ended.addEventListener('abort', killed, { once: true });
    remote.once('finish', () => this.progressed(() => (this.forwarded.toServer = true)));
    void this.sink.ended.then(() => this.progressed(() => (this.forwarded.toClient = true)));
    remote.once('close', () => this.progressed(() => (this.closed.server = true)));
    client.once('close', () => this.progressed(() => (this.closed.client = true)));
    remote.stderr.resume();
    this.fromServer.start(NOTHING);
    this.fromClient.start(NOTHING);
  }

  abort(ending: ChannelEnding): void {
    this.end(ending);
  }

  /** Returns lines about what was forwarded. To be called once, at the end. */
  summary(): string {
    return this.sent.summary('sent') + this.received.summary('received');
  }

  private inbound(
    channel: ServerChannel | ClientChannel,
    reader: StreamReader,
    writer: DurableWriter,
  ): Inbound {
    const flush = (): void => {
      this.ends.active();
      writer.write(reader.takePieces());
    };
    return new Inbound(channel, reader, flush, {
      ended: () => void writer.end(),
      failed: (error) => this.fail(error),
      mustRest: () => writer.isFull,
      abandoned: () => writer.abandon(),
    });
  }

  private recordInput(recorded: Buffer): MaybePromise<void> {
    return thenMaybe(this.session.admitAhead({ kind: 'values', judged: [], recorded }), (admission) => {
      if (admission.kind === 'refused') throw new InputRefused(admission.message);
    });
  }

  /** Ends the relay if nothing is left to forward. A side that has closed its channel takes nothing more. */
  private progressed(note: () => void): void {
    note();
    const { forwarded, closed } = this;
    if ((forwarded.toServer || closed.server) && (forwarded.toClient || closed.client))
      this.end(this.ends.server.isOpen ? STREAM_ENDED : PROGRAM_LOST);
  }

  private fail(error: unknown): void {
    if (this.isOver) return;
    if (error instanceof InputRefused) return this.end(blockedBy(error.message));
    this.log.error({ err: error, session: this.session.id }, 'A forwarded stream had to be ended');
    this.end(FAULTY);
  }

  /** Closes both channels. What waits, and was not forwarded, is dropped. */
  private end(ending: ChannelEnding): void {
    if (this.isOver) return;
    this.isOver = true;
    const { client, remote } = this.ends;
    this.session.stopJudging();
    this.forgetRoom();
    this.serverWriter.drop();
    this.clientWriter.drop();
    client.close();
    remote.close();
    const atRest = Promise.all([this.fromClient.stop(), this.fromServer.stop()]);
    // Without a reader, the driver would never close the channels.
    client.resume();
    remote.resume();
    void atRest.then(() => this.finished(ending));
  }
}
