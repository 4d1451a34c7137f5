import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type SchemaState, SchemaWatch, fewOf } from '../../platform/database/schema/schema-watch';
import { Gate } from '../../gate/gate';
import { Authenticator } from '../../gate/ports/authenticator';
import { AppError, messageOf, stoppingError } from '../../kernel/app-error';
import { SharedCheck } from '../../kernel/async/shared-check';

/**
 * Time for which the result of a disk test is reused, because any client can call `/readyz` at any rate.
 */
const DISK_GOOD_FOR_MS = 500;
/** Minimum time between two tests of the identity provider, so that the tests do not burden it. */
const PROVIDER_GOOD_FOR_MS = 10_000;
const PROVIDER_SILENT = 'the identity provider cannot be reached, so nobody new can sign in';

/**
 * Tests whether this process can serve requests.
 *
 * Does not use `@nestjs/terminus`, because it has no indicator for migrations, the journal's disk or the
 * identity provider. Each test would need a wrapper, and the reports and exceptions of terminus would have to
 * be converted to the responses of this API.
 */
@Injectable()
export class Readiness implements OnApplicationBootstrap {
  private readonly log = new Logger(Readiness.name);
  private isStopping = false;
  private hadProvider = true;
  private readonly disk = new SharedCheck(() => this.gate.tryRecording(), DISK_GOOD_FOR_MS);
  private readonly provider = new SharedCheck(() => this.findProvider(), PROVIDER_GOOD_FOR_MS);

  constructor(
    private readonly schema: SchemaWatch,
    private readonly gate: Gate,
    private readonly authenticator: Authenticator,
  ) {}

  /** Logs at the start that nothing can be recorded, before a load balancer calls `/readyz`. */
  async onApplicationBootstrap(): Promise<void> {
    const fault = await this.gate.tryRecording();
    if (fault !== undefined) this.log.error(`This gateway cannot open sessions: ${fault}`);
  }

  /**
   * Fails the readiness check, so that load balancers send no more requests. Requests that still arrive are
   * served.
   */
  stop(): void {
    this.isStopping = true;
  }

  /**
   * Returns warnings in plain sentences about parts that do not fully work.
   * @throws AppError `unavailable` while requests cannot be served, or while the gateway stops.
   */
  async warnings(): Promise<string[]> {
    if (this.isStopping) throw stoppingError();
    const schema = await this.usableSchema();
    const fault = await this.recordingFault();
    if (fault !== undefined) throw fault;
    // Not awaited, because an identity provider that does not answer must not delay the response.
    void this.provider.result();
    return [...schemaWarnings(schema), ...(this.hadProvider ? [] : [PROVIDER_SILENT])];
  }

  /** @throws AppError `unavailable` */
  private async usableSchema(): Promise<SchemaState> {
    const schema = await this.schema.current().catch((cause: unknown) => {
      throw new AppError('unavailable', 'the database cannot be reached', { cause, retryAfterSeconds: 5 });
    });
    const { pending, newer, missing } = schema;
    if (missing.length > 0)
      throw new AppError(
        'unavailable',
        `a newer version of the gateway has migrated the database (${fewOf(newer)}), and what this one needs is gone: upgrade this gateway`,
        { retryAfterSeconds: 30 },
      );
    if (pending.length > 0)
      throw new AppError(
        'unavailable',
        `the schema of the database is older than this gateway (${fewOf(pending)} not run): restart this gateway, which migrates it`,
      );
    return schema;
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

/** Warns of a newer schema. This is no fault, because old gateways keep working during an upgrade. */
function schemaWarnings({ newer }: SchemaState): string[] {
  if (newer.length === 0) return [];
  return [
    `a newer version of the gateway has migrated the database (${fewOf(newer)}): upgrade this gateway, which answers 503 where it needs what was changed`,
  ];
}
