import type { ServerChannel } from 'ssh2';
import type { Session } from '../../../gate/session';
import { sshClientPolicy } from '../../../targets/ssh/client-policy';
import { hostAndPort, printable, shownEnd } from '../../../targets/ssh/forwards/forward-end';
import { decideForwardFrom } from '../../../targets/ssh/forwards/forward-policy';
import { type ChannelEnding, ServerRefused, blockedBy } from '../channels/ending';
import type { OpenedTarget } from '../channels/session-entry';
import { type ForwardContext, ForwardVisit, forwardMetadata } from './forward-visit';
import type { ListenedStream } from './listening-visit';
import { unlessStopped } from './unless-stopped';
import { whileConnected } from './while-connected';

/** A stream to a client, from a port or a socket at which its server listens (`-R`). */
export class InwardStream extends ForwardVisit {
  protected readonly facts;
  private isAnswered = false;

  constructor(
    private readonly stream: ListenedStream,
    context: ForwardContext,
  ) {
    super(context);
    const { from, origin } = stream;
    this.facts = { channel: 'forwarded', metadata: forwardMetadata('from', from, origin) };
  }

  protected get unread(): string {
    const { from, origin } = this.stream;
    const by = origin === undefined ? '' : ` by ${printable(hostAndPort(origin.host, origin.port))}`;
    return `forward from ${shownEnd(from)}${by}`;
  }

  /** People approved the listening, so that its streams need no approval. */
  protected async serve(session: Session, { secret }: OpenedTarget): Promise<ChannelEnding> {
    const { stream, unread } = this;
    const decision = decideForwardFrom(stream.asked, sshClientPolicy(secret).forwardFrom);
    if ('refusal' in decision) return this.refuse(session, decision.refusal, unread);
    const text = unread;
    const judged = [{ text, as: 'value' as const }];
    const admission = await session.admitAhead({ kind: 'statement', text, judged });
    await session.inputsDurable();
    if (admission.kind === 'refused') return blockedBy(admission.message);
    const { server } = stream;
    const client = await whileConnected(server, this.stops(session), (stops) =>
      unlessStopped(this.offered(), stops),
    );
    this.isAnswered = true;
    const remote = stream.accept();
    server.bound(remote);
    return this.relayed(session, { client, remote, server });
  }

  protected tell(): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.stream.reject();
  }

  private async offered(): Promise<ServerChannel> {
    try {
      return await this.context.connection.forwards.offer(this.stream.from, this.stream.origin);
    } catch {
      throw new ServerRefused('The client did not take the stream.');
    }
  }
}
