import { Logger } from '@nestjs/common';
import type { Session } from '../../../gate/session';
import { type ForwardEnd, hostAndPort, printable, shownEnd } from '../../../targets/ssh/forwards/forward-end';
import { STOPPING } from '../../kit/open-sessions';
import { type AdmittedStart, CommandAdmission } from '../channels/command-admission';
import { CHANNEL_LOST, type ChannelEnding, blockedBy, channelEndedBy } from '../channels/ending';
import {
  type ChannelContext,
  type ChannelFacts,
  type OpenedTarget,
  SEALED,
  endingOf,
  enterSession,
  withSecret,
  storedNow,
} from '../channels/session-entry';
import type { ServedChannel } from '../channels/served-channel';
import type { ClientConnection } from '../driver/client-connection';
import type { StreamOrigin } from '../driver/forward-requests';
import type { OwnEnds } from './own-ends';
import { type StreamEnds, StreamRelay } from './stream-relay';

export interface ForwardContext extends ChannelContext {
  /** The connection of the client. */
  readonly connection: ClientConnection;
  readonly own: OwnEnds;
}

/** One forwarded stream, or the listening for such: a session of its own, as each channel is. */
export abstract class ForwardVisit implements ServedChannel {
  readonly runsCommand = false;
  protected abstract readonly facts: ChannelFacts;
  private readonly log = new Logger(ForwardVisit.name);
  private readonly stopping = new AbortController();
  private readonly leaving = new AbortController();
  private readonly forgetLeft: () => void;
  private relay: StreamRelay | undefined;

  constructor(protected readonly context: ForwardContext) {
    this.forgetLeft = context.connection.onLeft(() => this.leaving.abort(CHANNEL_LOST));
  }

  /** Serves what was asked for. Resolves with the ending when the recording is closed. Never rejects. */
  async run(): Promise<ChannelEnding> {
    const { leaving, stopping, log } = this;
    let session: Session | undefined;
    let ending: ChannelEnding;
    try {
      session = await enterSession(this.context, this.facts);
      const opened = withSecret(session, session.target, log);
      ending =
        opened === undefined
          ? await this.refuse(session, SEALED, this.unread)
          : await this.serve(session, opened);
    } catch (error) {
      ending = endingOf(error, session, [leaving.signal, stopping.signal], log);
    }
    this.forgetLeft();
    this.tell(ending);
    await session?.end(ending.exitCode, ending.cause).catch((error: unknown) => {
      log.error({ err: error, session: session?.id }, 'A session could not be closed');
    });
    return ending;
  }

  finish(): void {
    if (this.relay === undefined) this.stopping.abort(channelEndedBy(STOPPING));
  }

  abort(ending: ChannelEnding): void {
    this.stopping.abort(ending);
    this.relay?.abort(ending);
  }

  /** The request as a text, to record if nobody judges it. */
  protected abstract get unread(): string;

  /** Decides, and serves what was asked for until it ends. */
  protected abstract serve(session: Session, opened: OpenedTarget): Promise<ChannelEnding>;

  /** Answers the other side, if that was not done before. Idempotent. */
  protected abstract tell(ending: ChannelEnding): void;

  /** Signals that end what is served. Their reasons are endings, or the reason of a kill. */
  protected stops(session: Session): readonly AbortSignal[] {
    return [session.ended, this.leaving.signal, this.stopping.signal];
  }

  /**
   * Admits a start, and runs `work` with the connection as it is stored then. `work` must decide again,
   * because people may have changed the lists while the start waited.
   */
  protected admitted(
    session: Session,
    start: AdmittedStart,
    work: (opened: OpenedTarget) => Promise<ChannelEnding>,
  ): Promise<ChannelEnding> {
    const admission = new CommandAdmission(session, this.stops(session), {
      // The protocol has no words for a client whose stream waits.
      announce: () => undefined,
      decided: () => storedNow(this.context),
    });
    return admission.during(start, async ({ target }) => {
      const opened = withSecret(session, target, this.log);
      return opened === undefined ? this.refuse(session, SEALED) : work(opened);
    });
  }

  /**
   * Records and refuses what the connection or this gateway does not allow.
   * @param unread the request, if it is not recorded
   */
  protected async refuse(session: Session, message: string, unread?: string): Promise<ChannelEnding> {
    if (unread === undefined) session.refuse(message);
    else session.refuse(message, { content: unread, kind: 'statement' });
    await session.inputsDurable();
    return blockedBy(message);
  }

  /** Forwards bytes until the stream ends, and records how many there were. */
  protected async relayed(session: Session, ends: StreamEnds): Promise<ChannelEnding> {
    const { connection, active } = this.context;
    const forget = connection.watch(ends.client);
    const relay = new StreamRelay(session, { ...ends, connection, left: this.leaving.signal, active });
    this.relay = relay;
    relay.start();
    const ending = await relay.ended.finally(forget);
    void session.note({ type: 'o', content: relay.summary() });
    return ending;
  }
}

/** The metadata of the session of a stream, or of the listening for such. */
export function forwardMetadata(
  direction: 'to' | 'from',
  end: ForwardEnd,
  origin?: StreamOrigin,
): Readonly<Record<string, unknown>> {
  const from = origin === undefined ? {} : { origin: printable(hostAndPort(origin.host, origin.port)) };
  return { forward: { [direction]: shownEnd(end), ...from } };
}
