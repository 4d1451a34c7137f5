import { createHmac } from 'node:crypto';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Settings } from '../../platform/config/settings';
import { ServerCertificate } from '../../platform/tls/server-certificate';
import { ClientListener } from '../kit/client-listener';
import { EntryTurns } from '../kit/entry-turns';
import { ClientVisit } from '../kit/visit';
import { OpenSessions } from '../kit/open-sessions';
import { TrustedNetworks } from '../kit/trusted-networks';
import { signInRefusal } from './handshake/refusal';
import { type TlsIdentity, tlsIdentity } from './handshake/tls-identity';
import { ProxyFrontend } from './proxy-frontend';
import { type IncomingCancel, type SignInOptions, signIn } from './sign-in';
import { SignInServices } from '../kit/sign-in-services';
import type { SignedInClient } from './signed-in-client';

const REASONS = {
  tooLate: () => signInRefusal('late', '57014', 'Signing in took too long.'),
  crowded: () => signInRefusal('crowded', '53300', 'Too many clients are signing in. Try again.'),
  stopping: () => signInRefusal('stopping', '57P01', 'The gateway is shutting down.'),
};

/** Accepts PostgreSQL clients, signs them in and passes them to the frontend. */
@Injectable()
export class PostgresListener implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly log = new Logger(PostgresListener.name);
  private readonly listener: ClientListener<SignedInClient | IncomingCancel>;
  private readonly options: Omit<SignInOptions, 'signal' | 'tls'>;
  /** TLS identity for new clients; each client keeps the identity with which it began. */
  private tls: TlsIdentity | undefined;
  private readonly turns = new EntryTurns();
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly settings: Settings,
    { authenticator, issued }: SignInServices,
    private readonly frontend: ProxyFrontend,
    private readonly sessions: OpenSessions,
    certificate: ServerCertificate,
  ) {
    const [key = Buffer.alloc(0)] = settings.sealing.keys;
    const mockSecret = createHmac('sha256', key).update('SCRAM verifiers of nobody').digest();
    this.options = {
      authenticator,
      issued,
      turns: this.turns,
      proxies: new TrustedNetworks(settings.postgresProxy.headersFrom),
      mockSecret,
    };
    const pair = certificate.pairFor('postgres');
    if (pair !== undefined) {
      this.tls = tlsIdentity(pair);
      certificate.onReplaced((next) => (this.tls = tlsIdentity(next)));
    }
    this.listener = new ClientListener({
      name: 'PostgreSQL',
      signInLimit: settings.postgresProxy.clients,
      signInWithinMs: () => settings.postgresProxy.handshakeSeconds * 1000,
      signIn: (socket, signal) => signIn(socket, { ...this.options, tls: this.tls, signal }),
      serve: (client) => this.serve(client),
      reasons: REASONS,
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    const { host } = this.settings.http;
    const { port } = this.settings.postgresProxy;
    if (port === 0) return;
    await this.listener.listen(host, port, 'POSTGRES_PROXY_PORT');
    const withoutTls = this.tls ? '' : ', without TLS';
    this.log.log(`PostgreSQL clients: listening on ${host}:${port}${withoutTls}`);
  }

  /**
   * Begins to end the clients' sessions before other modules wait for their work, so that all modules share
   * one grace period.
   */
  onModuleDestroy(): void {
    this.stopped ??= this.stop().catch((error: unknown) =>
      this.log.error({ err: error }, 'The sessions of PostgreSQL clients could not be ended'),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  private async serve(client: SignedInClient | IncomingCancel): Promise<void> {
    if ('key' in client) return this.frontend.cancel(client);
    // Registers the client before it waits for its turn, so that a gateway that stops waits for this client
    // too.
    const waiting = new ClientVisit(() => undefined);
    const called = this.sessions.register(waiting);
    const entered = await this.turns.take();
    const served = this.frontend.serve(client, entered).finally(entered);
    // Ends the first registration, because the frontend has registered the client by now.
    called();
    await served;
  }

  private async stop(): Promise<void> {
    this.listener.close();
    await this.sessions.stop(this.settings.process.shutdownGraceSeconds * 1000);
    await this.listener.end();
  }
}
