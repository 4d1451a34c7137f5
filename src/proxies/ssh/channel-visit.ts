import { Logger } from '@nestjs/common';
import type { ClientChannel } from 'ssh2';
import type { Session } from '../../gate/session';
import { FILES_CHANNEL } from '../../languages/file-operation';
import { type SshClientPolicy, sshClientPolicy } from '../../targets/ssh/client-policy';
import type { OpenSsh } from '../../targets/ssh/open-ssh';
import { CommandAdmission } from './channels/command-admission';
import type { StartedChannel } from './channels/channel-requests';
import {
  admittedStart,
  beginProgram,
  closedByServer,
  shownStart,
  shownTerminal,
  startRefusal,
} from './channels/channel-start';
import { STOPPING } from '../kit/open-sessions';
import type { ServedChannel } from './channels/served-channel';
import { type ChannelEnding, blockedBy, channelEndedBy } from './channels/ending';
import {
  type ChannelContext,
  SEALED,
  endingOf,
  enterSession,
  withSecret,
  storedNow,
} from './channels/session-entry';
import { ProgramRelay } from './relay';
import { fileReaders, programReaders } from './relay-readers';
import type { ClientSink } from './channels/client-sink';

/**
 * One channel of a client: a session of its own, from the gate to the end of its recording. So each command
 * is identified, decided, judged and recorded separately, although many may share a connection.
 */
export class ChannelVisit implements ServedChannel {
  private readonly log = new Logger(ChannelVisit.name);
  private readonly stopping = new AbortController();
  private readonly sink: ClientSink;
  private relay: ProgramRelay | undefined;
  private closed: (() => Promise<void>) | undefined;

  constructor(
    private readonly started: StartedChannel,
    private readonly context: ChannelContext,
  ) {
    this.sink = started.sink;
  }

  /** Serves the channel. Resolves with its ending when its recording is closed. Never rejects. */
  async run(): Promise<ChannelEnding> {
    let session: Session | undefined;
    let ending: ChannelEnding;
    try {
      session = await this.enter();
      ending = await this.runIn(session);
    } catch (error) {
      ending = endingOf(error, session, [this.started.left, this.stopping.signal], this.log);
    }
    if (this.relay === undefined) await this.tell(ending);
    await session?.end(ending.exitCode, ending.cause).catch((error: unknown) => {
      this.log.error({ err: error, session: session?.id }, 'A session could not be closed');
    });
    return ending;
  }

  async freed(): Promise<void> {
    await this.closed?.();
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

  private enter(): Promise<Session> {
    const { start, terminal } = this.started;
    return enterSession(this.context, {
      channel: start.kind === 'subsystem' && start.name === FILES_CHANNEL ? FILES_CHANNEL : start.kind,
      metadata: terminal === undefined ? {} : { terminal: shownTerminal(terminal) },
    });
  }

  private async runIn(session: Session): Promise<ChannelEnding> {
    const opened = withSecret(session, session.target, this.log);
    if (opened === undefined) return this.refuse(session, SEALED);
    const refusal = startRefusal(this.started, sshClientPolicy(opened.secret));
    if (refusal !== undefined) return this.refuse(session, refusal);
    const stops = [session.ended, this.started.left, this.stopping.signal];
    const admission = new CommandAdmission(session, stops, {
      announce: (reviewId) => this.announce(reviewId),
      decided: () => storedNow(this.context),
    });
    return admission.during(admittedStart(this.started.start), async ({ isReviewed, target }) => {
      const now = withSecret(session, target, this.log);
      if (now === undefined) return this.refuse(session, SEALED, 'recorded');
      const policy = sshClientPolicy(now.secret);
      const late = startRefusal(this.started, policy);
      if (late !== undefined) return this.refuse(session, late, 'recorded');
      const server = await this.context.upstream.reach(session, now, stops);
      for (const stop of stops) stop.throwIfAborted();
      const program = await beginProgram(server, this.started);
      this.closed = closedByServer(program);
      const ended = stops.find(({ aborted }) => aborted);
      if (ended !== undefined) program.close();
      ended?.throwIfAborted();
      return await this.runProgram(session, { server, program }, policy, isReviewed);
    });
  }

  private async runProgram(
    session: Session,
    { server, program }: { readonly server: OpenSsh; readonly program: ClientChannel },
    policy: SshClientPolicy,
    isReviewed: boolean,
  ): Promise<ChannelEnding> {
    const { start, input, left, terminal, onRequest } = this.started;
    const isTerminal = terminal !== undefined;
    this.relay = new ProgramRelay(session, {
      sink: this.sink,
      input,
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
    onRequest(this.relay.requests);
    this.relay.start();
    return this.relay.ended;
  }

  /** Records and refuses what the connection or this gateway does not allow. */
  private async refuse(
    session: Session,
    message: string,
    start: 'recorded' | 'unread' = 'unread',
  ): Promise<ChannelEnding> {
    if (start === 'recorded') session.refuse(message);
    else session.refuse(message, { content: shownStart(this.started.start), kind: 'statement' });
    await session.inputsDurable();
    return blockedBy(message);
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
}
