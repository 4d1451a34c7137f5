import { isDeepStrictEqual } from 'node:util';
import type { TargetReachability } from '../../gate/ports/target-reachability';
import type { Session } from '../../gate/session';
import { FirstAbort } from '../../kernel/async/first-abort';
import { type OpenSsh, type SshSecret, openSsh } from '../../targets/ssh/open-ssh';
import { SshFault, serverFault } from '../../targets/ssh/ssh-faults';
import { ServerRefused } from './channels/ending';
import type { ChannelUpstream, OpenedTarget } from './channels/session-entry';

/** More than the channels and forwarded streams of one client, so that Node.js reports no leak. */
const MAX_LISTENERS = 80;

/**
 * The connection of one client to its server. All channels of the client share it. It is dialed for the first
 * channel, and again if it was lost or if the secret has changed. A certificate with which the gateway signs
 * in names the session of the channel for which it was dialed.
 */
export class SshUpstream implements ChannelUpstream {
  private dialled: { readonly secret: SshSecret; readonly server: Promise<OpenSsh> } | undefined;
  /** All connections, also those that were replaced while channels of the client still use them. */
  private readonly servers = new Set<Promise<OpenSsh>>();

  constructor(private readonly reachability: TargetReachability) {}

  /**
   * Signs in at the server for a session. Stops if one of the signals aborts first.
   * @throws ServerRefused
   */
  async reach(session: Session, opened: OpenedTarget, stops: readonly AbortSignal[]): Promise<OpenSsh> {
    const { secret } = opened;
    const known = this.dialled;
    if (known !== undefined && isDeepStrictEqual(known.secret, secret)) {
      const server = await known.server.catch(() => undefined);
      if (server?.isOpen === true) return server;
    }
    // Another channel has dialed meanwhile.
    if (this.dialled !== known) return this.reach(session, opened, stops);
    const server = this.dial(session, opened, stops);
    this.dialled = { secret, server };
    this.servers.add(server);
    const forget = (): void => void this.servers.delete(server);
    server.then(({ ended }) => ended.then(forget), forget);
    return server;
  }

  close(): void {
    for (const each of this.servers)
      each.then(
        (server) => server.close(),
        () => undefined,
      );
  }

  private async dial(
    { id, person }: Session,
    { target, secret }: OpenedTarget,
    stops: readonly AbortSignal[],
  ): Promise<OpenSsh> {
    const certified = await target.certifiedSecret?.({ person, session: id, hasTerminal: true });
    const first = new FirstAbort(stops);
    try {
      const server = await openSsh(certified ?? secret, { signal: first.signal });
      // Channels that are being opened listen for the end of the connection.
      server.client.setMaxListeners(MAX_LISTENERS);
      void this.reachability.note(target, true);
      return server;
    } catch (error) {
      const isStopped = error instanceof SshFault && error.code === 'STOPPED';
      if (!isStopped) void this.reachability.note(target, false);
      throw new ServerRefused(serverFault(error));
    } finally {
      first.release();
    }
  }
}
