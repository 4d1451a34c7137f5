import { createHmac } from 'node:crypto';
import { type Server, type Socket, createServer } from 'node:net';
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
import { hangUp } from './handshake/hang-up';
import { type Refusal, refusal } from './handshake/refusal';
import { tlsIdentity } from './handshake/tls-identity';
import { OpenSessions } from './open-sessions';
import { ProxyFrontend } from './proxy-frontend';
import { type IncomingCancel, type SignInOptions, signIn } from './sign-in';
import type { SignedInClient } from './signed-in-client';

/** A machine that died says nothing; the system's own two hours are too long to find out. */
const KEEP_ALIVE_AFTER_MS = 60_000;
/** A lack of descriptors comes up at every try; the log need not say it each time. */
const COMPLAIN_EVERY_MS = 1_000;

/** Takes PostgreSQL clients in, signs them in, and hands them on. */
@Injectable()
export class PostgresListener implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly log = new Logger(PostgresListener.name);
  private readonly server: Server;
  private readonly options: Omit<SignInOptions, 'signal'>;
  /** In the order of coming. */
  private readonly signingIn = new Map<Socket, AbortController>();
  private stopped: Promise<void> | undefined;
  private complainedAt = 0;

  constructor(
    private readonly settings: Settings,
    authenticator: Authenticator,
    issued: IssuedCredentials,
    private readonly frontend: ProxyFrontend,
    private readonly sessions: OpenSessions,
  ) {
    const [key = Buffer.alloc(0)] = settings.SECRET_KEY;
    const mockSecret = createHmac('sha256', key).update('SCRAM verifiers of nobody').digest();
    this.options = { authenticator, issued, mockSecret, tls: tlsIdentity(settings) };
    this.server = createServer(
      { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS },
      (socket) => this.accept(socket),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    const { HOST, POSTGRES_PROXY_PORT: port } = this.settings;
    if (port === 0) return;
    await this.listen(HOST, port);
    this.server.on('error', (error) => this.complain(error));
    this.log.log(
      `PostgreSQL clients: listening on ${HOST}:${port}${this.options.tls ? '' : ', without TLS'}`,
    );
  }

  /** Before any module waits for what it runs: the grace is one and the same for all. */
  onModuleDestroy(): void {
    this.stopped ??= this.stop().catch((error: unknown) =>
      this.log.error({ err: error }, 'The sessions of PostgreSQL clients could not be ended'),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  private async stop(): Promise<void> {
    this.server.close();
    const why = refusal('stopping', '57P01', 'The gateway is shutting down.');
    for (const handshake of this.signingIn.values()) handshake.abort(why);
    await this.sessions.stop(this.settings.SHUTDOWN_GRACE_SECONDS * 1000);
  }

  private async listen(host: string, port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      const sentence = `Something else listens on ${host}:${port} already. Stop it, or set POSTGRES_PROXY_PORT to a free port.`;
      throw new Error(sentence, { cause: error });
    });
  }

  private accept(socket: Socket): void {
    this.take(socket).catch((error: unknown) =>
      this.log.error({ err: error }, 'A PostgreSQL client could not be served'),
    );
  }

  /** From the first byte to the last. */
  private async take(socket: Socket): Promise<void> {
    const client = await this.signInInTime(socket);
    if (client === undefined) return;
    // Where TLS lies over the socket, hanging up below it would cut off the last words.
    const hangUpAtLast = (): void => hangUp(client.socket);
    if ('key' in client) await this.frontend.cancel(client).finally(hangUpAtLast);
    else await this.frontend.serve(client).finally(hangUpAtLast);
  }

  private async signInInTime(socket: Socket): Promise<SignedInClient | IncomingCancel | undefined> {
    this.makeRoom();
    const controller = new AbortController();
    const late = setTimeout(
      () => controller.abort(tooLate()),
      this.settings.POSTGRES_PROXY_HANDSHAKE_SECONDS * 1000,
    );
    this.signingIn.set(socket, controller);
    try {
      return await signIn(socket, { ...this.options, signal: controller.signal });
    } finally {
      clearTimeout(late);
      this.signingIn.delete(socket);
    }
  }

  /** Who signs in needs milliseconds: where all places are taken, the one that has sat longest on its own gives way. */
  private makeRoom(): void {
    if (this.signingIn.size < this.settings.POSTGRES_PROXY_CLIENTS) return;
    const [oldest] = this.signingIn;
    if (oldest === undefined) return;
    this.signingIn.delete(oldest[0]);
    oldest[1].abort(refusal('crowded', '53300', 'Too many clients are signing in. Try again.'));
  }

  private complain(error: unknown): void {
    if (Date.now() - this.complainedAt < COMPLAIN_EVERY_MS) return;
    this.complainedAt = Date.now();
    this.log.error({ err: error }, 'PostgreSQL clients cannot be accepted');
  }
}

function tooLate(): Refusal {
  return refusal('late', '57014', 'Signing in took too long.');
}
