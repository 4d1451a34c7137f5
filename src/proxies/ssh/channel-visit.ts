import { Logger } from '@nestjs/common';
import type { ClientChannel } from 'ssh2';
import type { Gate } from '../../gate/gate';
import { RecordingFailed } from '../../gate/ports/session-end';
import type { Session } from '../../gate/session';
import { passingFault } from '../../platform/database/faults/passing-fault';
import { AppError } from '../../kernel/app-error';
import { type SshClientPolicy, sshClientPolicy } from '../../targets/ssh/client-policy';
import type { OpenSsh } from '../../targets/ssh/open-ssh';
import { CommandAdmission } from './channels/command-admission';
import type { StartedChannel } from './channels/channel-requests';
import {
  admittedStart,
  beginProgram,
  shownStart,
  shownTerminal,
  startRefusal,
} from './channels/channel-start';
import { STOPPING } from '../kit/open-sessions';
import type { ServedChannel } from './connection-visit';
import {
  EXIT_NOT_REACHED,
  type ChannelEnding,
  FAULTY,
  blockedBy,
  channelEndedBy,
  sentenceOf,
  faultedBy,
} from './channels/ending';
import { ProgramRelay } from './relay';
import { fileReaders, programReaders } from './relay-readers';
import type { SignedInSshClient } from './signed-in-client';
import { ChannelSink } from './streams/channel-sink';
import { ServerRefused, type SshUpstream } from './upstream';

const SEALED = 'The secret of this connection could not be opened. Please tell an administrator.';

/** Objects that all channels of one client share. */
export interface ChannelContext {
  readonly client: SignedInSshClient;
  /** Id of the connection. */
  readonly target: string;
  readonly gate: Gate;
  readonly upstream: SshUpstream;
  /** Returns the address of the page of a review. */
  readonly reviewPage: (reviewId: string) => string;
  /** Called when something was sent in either direction. */
  readonly active: () => void;
}

/**
 * One channel of a client: a session of its own, from the gate to the end of its recording. So each command
 * is identified, decided, judged and recorded separately, although many may share a connection.
 */
export class ChannelVisit implements ServedChannel {
  private readonly log = new Logger(ChannelVisit.name);
  private readonly stopping = new AbortController();
  private readonly sink: ChannelSink;
  private relay: ProgramRelay | undefined;

  constructor(
    private readonly started: StartedChannel,
    private readonly context: ChannelContext,
  ) {
    const { channel, terminal } = started;
    this.sink = new ChannelSink(channel, context.client.connection, terminal !== undefined);
  }

  /** Serves the channel. Resolves with its ending when its recording is closed. Never rejects. */
  async run(): Promise<ChannelEnding> {
    let session: Session | undefined;
    let ending: ChannelEnding;
    try {
      session = await this.enter();
      ending = await this.runIn(session);
    } catch (error) {
      ending = this.endingOf(error, session);
    }
    if (this.relay === undefined) await this.tell(ending);
    await session?.end(ending.exitCode, ending.cause).catch((error: unknown) => {
      this.log.error({ err: error, session: session?.id }, 'A session could not be closed');
    });
    return ending;
  }

  get runsCommand(): boolean {
    return this.started.start.kind === 'exec';
  }

  finish(): void {
    if (this.relay === undefined) this.stopping.abort(channelEndedBy(STOPPING));
  }

  abort(ending: ChannelEnding): void {
    this.stopping.abort(ending);
    if (this.relay === undefined) this.sink.hurry();
    else this.relay.abort(ending);
  }

  /** Identifies the client again, decides access and opens the recording. @throws AppError */
  private async enter(): Promise<Session> {
    const { client, target, gate } = this.context;
    const { start, terminal } = this.started;
    const { principal, credential } = await client.identifyAgain();
    return gate.connect(principal, {
      connection: target,
      labels: {
        client_address: client.address,
        ...(client.software === '' ? {} : { application_name: client.software }),
        channel: start.kind === 'subsystem' && start.name === 'sftp' ? 'sftp' : start.kind,
      },
      metadata: terminal === undefined ? {} : { terminal: shownTerminal(terminal) },
      batchId: null,
      correlationId: null,
      reason: credential?.reason ?? null,
      credentialId: credential?.id ?? null,
      until: credential?.expiresAt ?? null,
    });
  }

  private async runIn(session: Session): Promise<ChannelEnding> {
    const secret = this.openSecret(session);
    if (secret === undefined) return this.refuse(session, SEALED);
    const policy = sshClientPolicy(secret);
    const refusal = startRefusal(this.started, policy);
    if (refusal !== undefined) return this.refuse(session, refusal);
    const stops = [session.ended, this.started.left, this.stopping.signal];
    const admission = new CommandAdmission(session, stops, {
      announce: (reviewId) => this.announce(reviewId),
      decided: () => this.context.client.identifyAgain(),
    });
    const admitted = await admission.admit(admittedStart(this.started.start));
    if (admitted.kind === 'refused') return blockedBy(admitted.message);
    try {
      const server = await this.context.upstream.reach(session.target, secret, stops);
      for (const stop of stops) stop.throwIfAborted();
      const program = await beginProgram(server, this.started);
      const ended = stops.find(({ aborted }) => aborted);
      if (ended !== undefined) program.close();
      ended?.throwIfAborted();
      return await this.runProgram(session, { server, program }, policy, admitted.isReviewed);
    } finally {
      await admitted.over().catch((error: unknown) => {
        this.log.error({ err: error, session: session.id }, 'The end of a reviewed command was not stored');
      });
    }
  }

  private async runProgram(
    session: Session,
    { server, program }: { readonly server: OpenSsh; readonly program: ClientChannel },
    policy: SshClientPolicy,
    isReviewed: boolean,
  ): Promise<ChannelEnding> {
    const { start, channel, left, terminal, onRequest } = this.started;
    const isTerminal = terminal !== undefined;
    this.relay = new ProgramRelay(session, {
      sink: this.sink,
      channel,
      left,
      server,
      program,
      readers:
        start.kind === 'subsystem'
          ? fileReaders(session, policy.files === 'write')
          : programReaders(session, { isTerminal, recordsInput: !isTerminal || policy.recordsTerminalInput }),
      // People approved the command alone.
      takesInput: !isReviewed || start.kind !== 'exec',
      active: this.context.active,
    });
    onRequest(this.relay);
    this.relay.start();
    return this.relay.ended;
  }

  /** Records and refuses what the connection or this gateway does not allow. */
  private async refuse(session: Session, message: string): Promise<ChannelEnding> {
    session.refuse(message, { content: shownStart(this.started.start), kind: 'statement' });
    await session.inputsDurable();
    return blockedBy(message);
  }

  private openSecret(session: Session): Readonly<Record<string, string>> | undefined {
    try {
      return session.target.openSecret();
    } catch (error) {
      this.log.error({ err: error, session: session.id }, 'The secret of a connection could not be opened');
      return undefined;
    }
  }

  private announce(reviewId: string): void {
    const page = this.context.reviewPage(reviewId);
    this.say(`This command needs an approval: ${page}`);
    this.say('It runs when it is approved. To stop waiting, close the connection.');
  }

  private say(sentence: string): void {
    this.sink.write([this.sink.asError(this.sink.line(sentence))]);
  }

  /** Sends the ending of a channel in which no program has begun. */
  private async tell({ exit, exitCode, lastWord }: ChannelEnding): Promise<void> {
    this.sink.exitWith(exit ?? { code: exitCode });
    this.sink.end(lastWord === undefined ? Buffer.alloc(0) : this.sink.line(lastWord));
    await this.sink.ended;
  }

  private endingOf(error: unknown, session: Session | undefined): ChannelEnding {
    const { left } = this.started;
    if (session?.ended.aborted === true) return endingOfKill(session.ended.reason as Error);
    if (left.aborted) return left.reason as ChannelEnding;
    if (this.stopping.signal.aborted) return this.stopping.signal.reason as ChannelEnding;
    if (error instanceof ServerRefused) return notReached(error.message);
    const refusal = error instanceof AppError ? error : passingFault(error);
    if (refusal?.code === 'unauthenticated') return channelEndedBy(sentenceOf(refusal.message));
    if (refusal !== undefined) return faultedBy(sentenceOf(refusal.message));
    this.log.error({ err: error, session: session?.id }, 'An SSH session could not begin');
    return FAULTY;
  }
}

function endingOfKill(reason: Error): ChannelEnding {
  return reason instanceof RecordingFailed ? FAULTY : channelEndedBy(reason.message);
}

function notReached(message: string): ChannelEnding {
  return { exitCode: EXIT_NOT_REACHED, cause: message, lastWord: message };
}
