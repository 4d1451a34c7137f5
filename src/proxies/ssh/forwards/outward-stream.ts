import type { ClientChannel } from 'ssh2';
import type { Session } from '../../../gate/session';
import { sshClientPolicy } from '../../../targets/ssh/client-policy';
import { type ForwardEnd, printable, shownEnd } from '../../../targets/ssh/forwards/forward-end';
import {
  type ForwardDecision,
  decideForwardTo,
  ownServer,
} from '../../../targets/ssh/forwards/forward-policy';
import type { OpenSsh } from '../../../targets/ssh/open-ssh';
import { SshFault, serverFault } from '../../../targets/ssh/ssh-faults';
import { CHANNEL_LOST, type ChannelEnding, EXIT_NOT_REACHED, ServerRefused } from '../channels/ending';
import type { StreamRequest } from '../driver/forward-requests';
import type { OpenedTarget } from '../channels/session-entry';
import { type ForwardContext, ForwardVisit, forwardMetadata } from './forward-visit';
import { unlessStopped } from './unless-stopped';

/** A stream that a client opens, to a port or a socket that the server reaches (`-L`, `-D`). */
export class OutwardStream extends ForwardVisit {
  protected readonly facts;
  private isAnswered = false;

  constructor(
    private readonly request: StreamRequest,
    context: ForwardContext,
  ) {
    super(context);
    this.facts = { channel: 'forward', metadata: forwardMetadata('to', request.to, request.origin) };
  }

  protected get unread(): string {
    return `forward to ${shownEnd(this.request.to)}`;
  }

  protected async serve(session: Session, { secret }: OpenedTarget): Promise<ChannelEnding> {
    const decision = this.decision(secret);
    if ('refusal' in decision) return this.refuse(session, decision.refusal, this.unread);
    const { end } = decision;
    const shown = shownEnd(end);
    const start = { name: 'forward', text: `forward to ${shown}`, command: undefined, end: shown };
    return this.admitted(session, start, async (opened) => {
      const stops = this.stops(session);
      const again = this.decision(opened.secret);
      if ('refusal' in again) return this.refuse(session, again.refusal);
      const server = await this.context.upstream.reach(session, opened, stops);
      const refusal = this.lateRefusal(end, server, opened.secret);
      if (refusal !== undefined) return this.refuse(session, refusal);
      for (const stop of stops) stop.throwIfAborted();
      const remote = await unlessStopped(connected(server, end), stops);
      const client = this.accept();
      if (client !== undefined) return this.relayed(session, { client, remote, server });
      remote.close();
      return CHANNEL_LOST;
    });
  }

  protected tell({ exitCode, lastWord, cause }: ChannelEnding): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    const reason = exitCode === EXIT_NOT_REACHED ? 'failed' : 'prohibited';
    this.request.refuse({ reason, text: lastWord ?? cause ?? '' });
  }

  private accept(): ReturnType<StreamRequest['accept']> {
    this.isAnswered = true;
    return this.request.accept();
  }

  /** @param address the address that was dialed, which the name of the server may have hidden */
  private decision(secret: OpenedTarget['secret'], address?: string): ForwardDecision {
    return decideForwardTo(this.request.to, sshClientPolicy(secret).forwardTo, ownServer(secret, address));
  }

  private lateRefusal(
    end: ForwardEnd,
    { address }: OpenSsh,
    secret: OpenedTarget['secret'],
  ): string | undefined {
    const decision = this.decision(secret, address);
    if ('refusal' in decision) return decision.refusal;
    return this.context.own.has(end, address)
      ? 'No connection allows forwards to this gateway itself.'
      : undefined;
  }
}

/** Lets the server connect. @throws ServerRefused */
async function connected(server: OpenSsh, end: ForwardEnd): Promise<ClientChannel> {
  const { client } = server;
  try {
    return await server.open((taken) => {
      if (end.kind === 'socket') client.openssh_forwardOutStreamLocal(end.path, taken);
      // The server sees no address of the client: only its own account is known there.
      else client.forwardOut('127.0.0.1', 0, end.host, end.port, taken);
    });
  } catch (error) {
    throw new ServerRefused(refusalOf(error));
  }
}

/** The words of the server, such as "Connection refused", help more than a general sentence. */
function refusalOf(error: unknown): string {
  if (!(error instanceof SshFault)) return serverFault(error);
  if (error.code === 'COMMAND_REFUSED') return 'The server offers no streams to sockets.';
  const said = error.cause instanceof Error ? /failure: (.+)$/s.exec(error.cause.message)?.[1] : undefined;
  return error.code === 'CHANNEL_REFUSED' && said !== undefined
    ? `The server could not connect: ${printable(said)}.`
    : serverFault(error);
}
