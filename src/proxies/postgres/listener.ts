import { createHmac } from 'node:crypto';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Authenticator } from '../../gate/ports/authenticator';
import { IssuedCredentials } from '../../gate/ports/issued-credentials';
import { ClientListener } from '../kit/client-listener';
import { EntryTurns } from '../kit/entry-turns';
import { OpenSessions } from '../kit/open-sessions';
import { signInRefusal } from './handshake/refusal';
import { tlsIdentity } from './handshake/tls-identity';
import { ProxyFrontend } from './proxy-frontend';
import { type IncomingCancel, type SignInOptions, signIn } from './sign-in';
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
  private readonly options: Omit<SignInOptions, 'signal'>;
  private readonly turns = new EntryTurns();
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly settings: Settings,
    authenticator: Authenticator,
    issued: IssuedCredentials,
    private readonly frontend: ProxyFrontend,
    private readonly sessions: OpenSessions,
  ) {
    const [key = Buffer.alloc(0)] = settings.sealing.keys;
    const mockSecret = createHmac('sha256', key).update('SCRAM verifiers of nobody').digest();
    this.options = {
      authenticator,
      issued,
      turns: this.turns,
      mockSecret,
      tls: tlsIdentity(settings.postgresProxy),
    };
    this.listener = new ClientListener({
      name: 'PostgreSQL',
      signInLimit: settings.postgresProxy.clients,
      signInWithinMs: () => settings.postgresProxy.handshakeSeconds * 1000,
      signIn: (socket, signal) => signIn(socket, { ...this.options, signal }),
      serve: (client) => this.serve(client),
      reasons: REASONS,
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    const { host } = this.settings.http;
    const { port } = this.settings.postgresProxy;
    if (port === 0) return;
    await this.listener.listen(host, port, 'POSTGRES_PROXY_PORT');
    const withoutTls = this.options.tls ? '' : ', without TLS';
    this.log.log(`PostgreSQL clients: listening on ${host}:${port}${withoutTls}`);
  }

  /** Starts before other modules wait for their own work, so that all share one grace period. */
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
    const entered = await this.turns.take();
    await this.frontend.serve(client, entered).finally(entered);
  }

  private async stop(): Promise<void> {
    this.listener.close();
    await this.sessions.stop(this.settings.process.shutdownGraceSeconds * 1000);
  }
}
