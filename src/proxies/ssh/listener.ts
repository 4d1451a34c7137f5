import { createHmac } from 'node:crypto';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type ParsedKey, utils } from 'ssh2';
import { Settings } from '../../platform/config/settings';
import { SshHostKeys } from '../../platform/keys/ssh-host-keys';
import { ClientListener } from '../kit/client-listener';
import { EntryTurns } from '../kit/entry-turns';
import { OpenSessions } from '../kit/open-sessions';
import { TrustedNetworks } from '../kit/trusted-networks';
import { SshRefusal } from './handshake/ssh-refusal';
import { SshFrontend } from './proxy-frontend';
import { type SshSignInOptions, signInBySsh } from './sign-in';
import { SignInServices } from '../kit/sign-in-services';
import type { SignedInSshClient } from './signed-in-client';

const REASONS = {
  tooLate: () => new SshRefusal('late'),
  crowded: () => new SshRefusal('crowded'),
  stopping: () => new SshRefusal('stopping'),
};

/** Accepts SSH clients, signs them in and passes them to the frontend. */
@Injectable()
export class SshListener implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly log = new Logger(SshListener.name);
  private readonly listener: ClientListener<SignedInSshClient>;
  private readonly options: Omit<SshSignInOptions, 'signal' | 'hostKey'>;
  private hostKey: ParsedKey | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly settings: Settings,
    { authenticator, issued, publicKeys }: SignInServices,
    private readonly frontend: SshFrontend,
    private readonly sessions: OpenSessions,
    private readonly hostKeys: SshHostKeys,
  ) {
    const [key = Buffer.alloc(0)] = settings.sealing.keys;
    this.options = {
      authenticator,
      issued,
      publicKeys,
      turns: new EntryTurns(),
      proxies: new TrustedNetworks(settings.postgresProxy.headersFrom),
      mockSecret: createHmac('sha256', key).update('SCRAM verifiers of nobody').digest(),
    };
    this.listener = new ClientListener({
      name: 'SSH',
      signInLimit: settings.sshProxy.clients,
      signInWithinMs: () => settings.sshProxy.handshakeSeconds * 1000,
      signIn: (socket, signal) => this.signIn(socket, signal),
      serve: (client) => this.frontend.serve(client),
      reasons: REASONS,
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    const { host } = this.settings.http;
    const { port } = this.settings.sshProxy;
    if (port === 0) return;
    const parsed = utils.parseKey(await this.hostKeys.privateKey());
    if (parsed instanceof Error) throw parsed;
    this.hostKey = parsed;
    await this.listener.listen(host, port, 'SSH_PROXY_PORT');
    this.log.log(`SSH clients: listening on ${host}:${port}`);
  }

  /**
   * Begins to end the clients' sessions before other modules wait for their work, so that all modules share
   * one grace period.
   */
  onModuleDestroy(): void {
    this.stopped ??= this.stop().catch((error: unknown) =>
      this.log.error({ err: error }, 'The sessions of SSH clients could not be ended'),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  private signIn(socket: SignedInSshClient['socket'], signal: AbortSignal): ReturnType<typeof signInBySsh> {
    const { hostKey } = this;
    if (hostKey === undefined) throw new Error('the listener has no host key yet');
    return signInBySsh(socket, { ...this.options, hostKey, signal });
  }

  private async stop(): Promise<void> {
    this.listener.close();
    await this.sessions.stop(this.settings.process.shutdownGraceSeconds * 1000);
    await this.listener.end();
  }
}
