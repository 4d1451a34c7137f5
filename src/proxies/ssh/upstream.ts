import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../gate/ports/target-directory';
import type { TargetReachability } from '../../gate/ports/target-reachability';
import { FirstAbort } from '../../kernel/async/first-abort';
import { type OpenSsh, type SshSecret, openSsh } from '../../targets/ssh/open-ssh';
import { SshFault, serverFault } from '../../targets/ssh/ssh-faults';

/** More than the channels of one client, so that Node.js reports no leak. */
const MAX_LISTENERS = 30;

/** The server could not be reached, or refused the sign-in. The message has no value of the secret. */
export class ServerRefused extends Error {}

/**
 * The connection of one client to its server. All channels of the client share it. It is dialed for the first
 * channel, and again if it was lost or if the secret has changed.
 */
export class SshUpstream {
  private dialled: { readonly secret: SshSecret; readonly server: Promise<OpenSsh> } | undefined;
  /** All connections, also those that were replaced while channels of the client still use them. */
  private readonly servers = new Set<Promise<OpenSsh>>();

  constructor(private readonly reachability: TargetReachability) {}

  /**
   * Signs in at the server. Stops if one of the signals aborts first.
   * @throws ServerRefused
   */
  async reach(target: Target, secret: SshSecret, stops: readonly AbortSignal[]): Promise<OpenSsh> {
    const known = this.dialled;
    if (known !== undefined && isDeepStrictEqual(known.secret, secret)) {
      const server = await known.server.catch(() => undefined);
      if (server?.isOpen === true) return server;
    }
    // Another channel has dialed meanwhile.
    if (this.dialled !== known) return this.reach(target, secret, stops);
    const server = this.dial(target, secret, stops);
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

  private async dial(target: Target, secret: SshSecret, stops: readonly AbortSignal[]): Promise<OpenSsh> {
    const first = new FirstAbort(stops);
    try {
      const server = await openSsh(secret, { signal: first.signal });
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
