import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseSettings } from '../config/groups';
import { migrations } from '../database/migrations';
import { Gate } from '../gate/gate';
import { Authenticator } from '../gate/ports/authenticator';
import { AppError, messageOf } from '../kernel/app-error';
import { endPool } from '../kernel/end-pool';
import { SharedCheck } from '../kernel/shared-check';

/** Time-out of the database, which may accept connections and then not answer. */
const ANSWER_WITHIN_MS = 2_000;
/** How long a test of the disk stays valid, because anybody may call the route, as often as they like. */
const DISK_GOOD_FOR_MS = 500;
/** Minimum time between two tests of the identity provider, which belongs to others. */
const PROVIDER_GOOD_FOR_MS = 10_000;
const PROVIDER_SILENT = 'the identity provider cannot be reached, so nobody new can sign in';

/**
 * Tests whether this process can serve requests.
 *
 * Not `@nestjs/terminus`: none of its indicators tests what is tested here (migrations, the journal's disk, the provider), each would
 * be a wrapper around these methods, and its report and exceptions would have to be converted to the answers of this API.
 */
@Injectable()
export class Readiness implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(Readiness.name);
  /** A pool of its own: a busy pool answers late, which is no reason to stop sending requests here. */
  private readonly pool: Pool;
  private isStopping = false;
  private hadProvider = true;
  private readonly database = new SharedCheck(() => this.databaseFault(), 0);
  private readonly disk = new SharedCheck(() => this.gate.tryRecording(), DISK_GOOD_FOR_MS);
  private readonly provider = new SharedCheck(() => this.findProvider(), PROVIDER_GOOD_FOR_MS);

  constructor(
    settings: DatabaseSettings,
    private readonly gate: Gate,
    private readonly authenticator: Authenticator,
  ) {
    this.pool = new Pool({
      connectionString: settings.url,
      application_name: 'access-gateway readiness',
      max: 1,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
    });
    // A lost idle connection is replaced when it is needed.
    this.pool.on('error', () => undefined);
  }

  /** A fault at the start is logged at once, and not only when a load balancer asks. */
  async onApplicationBootstrap(): Promise<void> {
    const fault = await this.gate.tryRecording();
    if (fault !== undefined) this.log.error(`This gateway cannot open sessions: ${fault}`);
  }

  async onApplicationShutdown(): Promise<void> {
    await endPool(this.pool, () => this.pool.end());
  }

  /** Tells load balancers to send no more requests; requests that still come are served. */
  stop(): void {
    this.isStopping = true;
  }

  /**
   * Returns what works only partly, in plain sentences.
   * @throws AppError `unavailable` while requests cannot be served, or soon will not be.
   */
  async warnings(): Promise<string[]> {
    if (this.isStopping) throw new AppError('unavailable', 'this gateway is stopping');
    const fault = (await this.database.result()) ?? (await this.recordingFault());
    if (fault !== undefined) throw fault;
    // Not awaited: a silent provider must not delay the answer.
    void this.provider.result();
    return this.hadProvider ? [] : [PROVIDER_SILENT];
  }

  private async databaseFault(): Promise<AppError | undefined> {
    const known = migrations.map(({ name }) => name);
    try {
      const { rowCount } = await this.pool.query('SELECT FROM schema_migrations WHERE name = ANY ($1)', [
        known,
      ]);
      return (rowCount ?? 0) < known.length
        ? new AppError('unavailable', 'the database schema is not up to date')
        : undefined;
    } catch (cause) {
      return new AppError('unavailable', 'the database cannot be reached', { cause, retryAfterSeconds: 5 });
    }
  }

  private async recordingFault(): Promise<AppError | undefined> {
    const fault = this.gate.fault() ?? (await this.disk.result());
    return fault === undefined ? undefined : new AppError('unavailable', fault, { retryAfterSeconds: 1 });
  }

  private async findProvider(): Promise<void> {
    const fault = await this.authenticator.probe().then(() => undefined, messageOf);
    const hasProvider = fault === undefined;
    if (hasProvider !== this.hadProvider) {
      if (hasProvider) this.log.log('The identity provider can be reached again');
      else this.log.warn(`${PROVIDER_SILENT} (${fault})`);
    }
    this.hadProvider = hasProvider;
  }
}
