import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../../../gate/session';
import { FirstAbort } from '../../../kernel/async/first-abort';
import { sshClientPolicy } from '../../../targets/ssh/client-policy';
import { type ForwardEnd, readListeningEnd, shownEnd } from '../../../targets/ssh/forwards/forward-end';
import { type ForwardDecision, decideForwardFrom } from '../../../targets/ssh/forwards/forward-policy';
import type { OpenSsh } from '../../../targets/ssh/open-ssh';
import { type ChannelEnding, PROGRAM_LOST, STREAM_ENDED, faultedBy } from '../channels/ending';
import type { ListenRequest } from '../driver/forward-requests';
import type { OpenedTarget } from '../channels/session-entry';
import { type ForwardContext, ForwardVisit, forwardMetadata } from './forward-visit';
import { type OfferedStream, ServerListening } from './server-listening';
import { unlessStopped } from './unless-stopped';
import { whileConnected } from './while-connected';

/**
 * Time in which people must approve a listening. Until the client has its answer, it gets none to anything
 * that it asks afterwards, see `boundWaitingRequests`. An approval that comes later counts for the same
 * request, when the client repeats it.
 */
const APPROVED_WITHIN_MS = 5 * 60_000;
const NOT_APPROVED = 'Nobody approved the listening within 5 minutes. Please ask again once it is approved.';

/** A stream of a listening server. */
export interface ListenedStream extends OfferedStream {
  /** The end as the client asked for it. Port 0 let the server choose one. */
  readonly asked: ForwardEnd;
  /** The end as the client knows it. */
  readonly from: ForwardEnd;
  readonly server: OpenSsh;
}

/** The time in which a server listens for a client (`-R`). */
export class ListeningVisit extends ForwardVisit {
  protected readonly facts;
  /** The end as the client knows it: port 0 until the server has chosen one. */
  private from: ForwardEnd;
  private isAnswered = false;
  private isOver = false;

  /** @param streamed gets each stream */
  constructor(
    private readonly request: ListenRequest,
    context: ForwardContext,
    private readonly streamed: (stream: ListenedStream) => void,
  ) {
    super(context);
    this.from = request.at;
    this.facts = { channel: 'listen', metadata: forwardMetadata('from', request.at) };
  }

  /** Whether the server listens at this end, or is about to. False once the client was refused. */
  isAt(end: ForwardEnd): boolean {
    return !this.isOver && isDeepStrictEqual(normalized(end), normalized(this.from));
  }

  /** The client wants no more streams, or waits no more. */
  cancel(): void {
    this.isOver = true;
    this.abort(STREAM_ENDED);
  }

  protected get unread(): string {
    return `listen at ${shownEnd(this.request.at)}`;
  }

  protected async serve(session: Session, { secret }: OpenedTarget): Promise<ChannelEnding> {
    const decision = this.decision(secret);
    if ('refusal' in decision) return this.refuse(session, decision.refusal, this.unread);
    const { end } = decision;
    const shown = shownEnd(end);
    const start = { name: 'listen', text: `listen at ${shown}`, command: undefined, end: shown };
    const late = setTimeout(() => this.abort(faultedBy(NOT_APPROVED)), APPROVED_WITHIN_MS).unref();
    return this.admitted(session, start, async (opened) => {
      clearTimeout(late);
      const again = this.decision(opened.secret);
      if ('refusal' in again) return this.refuse(session, again.refusal);
      const stops = this.stops(session);
      const server = await this.context.upstream.reach(session, opened, stops);
      for (const stop of stops) stop.throwIfAborted();
      return whileConnected(server, stops, (all) => this.listen(server, end, all, stops));
    }).finally(() => clearTimeout(late));
  }

  protected tell(): void {
    this.isOver = true;
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.request.refuse();
  }

  private decision(secret: OpenedTarget['secret']): ForwardDecision {
    return decideForwardFrom(this.request.at, sshClientPolicy(secret).forwardFrom);
  }

  /** @param stops those of the session; `all` has the loss of the server, too */
  private async listen(
    server: OpenSsh,
    end: ForwardEnd,
    all: readonly AbortSignal[],
    stops: readonly AbortSignal[],
  ): Promise<ChannelEnding> {
    const asked = this.request.at;
    const listening = new ServerListening(server, end, (stream) =>
      this.streamed({ ...stream, asked, from: this.from, server }),
    );
    const { port = 0 } = await unlessStopped(listening.begin(), all);
    const over = new FirstAbort(all);
    try {
      over.signal.throwIfAborted();
      if (asked.kind === 'tcp') this.from = { ...asked, port };
      this.isAnswered = true;
      this.request.accept(port);
      if (!over.signal.aborted) await once(over.signal, 'abort');
      for (const stop of stops) stop.throwIfAborted();
      // The protocol has no words for a listening that ends, so the client is disconnected.
      return { ...PROGRAM_LOST, isFinal: true };
    } finally {
      over.release();
      listening.close();
    }
  }
}

/** The end as it is decided; as it is if it cannot be read. */
function normalized(end: ForwardEnd): ForwardEnd {
  return readListeningEnd(end) ?? end;
}
