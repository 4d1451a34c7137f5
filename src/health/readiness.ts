import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseSettings } from '../config/groups';
import { migrations } from '../database/migrations';
import { Gate } from '../gate/gate';
import { Authenticator } from '../gate/ports/authenticator';
import { AppError, messageOf } from '../kernel/app-error';
import { SharedCheck } from '../kernel/shared-check';

/** For the database to answer; one that accepts connections and then says nothing is none. */
const ANSWER_WITHIN_MS = 2_000;
/** A disk that was tried a moment ago is not tried again: anybody may ask, as often as they like. */
const DISK_GOOD_FOR_MS = 500;
/** A silent database must not keep a gateway from stopping. */
const CLOSED_WITHIN_MS = 1_000;
/** The identity provider belongs to others: it is not asked more often than this. */
const PROVIDER_GOOD_FOR_MS = 10_000;
const PROVIDER_SILENT = 'the identity provider cannot be reached: nobody new can sign in';

/** Whether this process can serve, found out by trying. */
@Injectable()
export class Readiness implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(Readiness.name);
  /** Of its own: a pool that is busy answers late, and is no reason to send everybody to the next gateway. */
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

  /** What is wrong at the start is in the log at once, and not when the first load balancer asks. */
  async onApplicationBootstrap(): Promise<void> {
    const fault = await this.gate.tryRecording();
    if (fault !== undefined) this.log.error(`This gateway runs nothing as long as ${fault}`);
  }

  async onApplicationShutdown(): Promise<void> {
    const late = delay(CLOSED_WITHIN_MS, undefined, { ref: false });
    await Promise.race([this.pool.end().catch(() => undefined), late]);
  }

  /** From now on load balancers are told to send nobody any more; what comes all the same is served. */
  stop(): void {
    this.isStopping = true;
  }

  /**
   * Returns what works less well than it should, in plain sentences.
   * @throws AppError `unavailable` while requests cannot be served, or soon will not be.
   */
  async warnings(): Promise<string[]> {
    if (this.isStopping) throw new AppError('unavailable', 'this gateway is stopping');
    const fault = (await this.database.result()) ?? (await this.recordingFault());
    if (fault !== undefined) throw fault;
    // The first who ask are not kept waiting by a provider that is silent.
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
