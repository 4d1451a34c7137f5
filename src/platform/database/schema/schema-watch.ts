import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { DatabaseSettings } from '../../config/groups';
import { endPool } from '../../../kernel/runtime/end-pool';
import { PeriodicTask } from '../../../kernel/async/periodic-task';
import { SharedCheck } from '../../../kernel/async/shared-check';
import { Meter } from '../../metrics/meter';
import { type MigrationState, migrationState } from './migrate';
import { queryPool } from '../pools/query-pool';
import { type SchemaAge, explainFaults, noteSchemaFault } from '../faults/schema-fault';
import { SCHEMA_VERSION } from './schema-version';
import { sqlStateOfError } from '../faults/sql-state';

/** Time-out of the database, which may accept connections and then not answer. */
const ANSWER_WITHIN_MS = 2_000;
const EVERY_MS = 10_000;

/**
 * SQLSTATEs of a statement that does not fit the schema. Class 42: a table, column, function, type or right
 * is missing. 23502: this program does not fill a column that must not be null. 0A000 and 55000: an object is
 * of another kind, which does not support the statement.
 */
const MISFIT = /^(42...|23502|0A000|55000)$/;
/**
 * SQLSTATEs of invalid values, violated constraints and triggers. These errors have many causes, and services
 * handle the ones that they expect. An unexpected one counts as a fault of the schema only if the schema is
 * known to differ, because it may have a narrower column or a new constraint. 22021 (NUL) is excluded.
 */
const ALSO_OTHERWISE = /^(22(?!021)...|23...|P0001)$/;

/** Queries the columns of entities that are missing in the database. */
const MISSING = `SELECT wanted.table_name || '.' || wanted.column_name AS name
  FROM unnest($1::text[], $2::text[]) AS wanted (table_name, column_name)
  WHERE NOT EXISTS (SELECT FROM pg_attribute
    WHERE attrelid = to_regclass(quote_ident(wanted.table_name)) AND attname = wanted.column_name AND NOT attisdropped)`;

/** The schema of the database, compared with that of this program. */
export interface SchemaState extends MigrationState {
  /** The last migration that ran; undefined in an empty database. */
  readonly last: string | undefined;
  /**
   * Columns that this program needs and that are missing, as `table.column`. Checked only in a newer schema.
   */
  readonly missing: readonly string[];
}

type Query = <T extends object>(sql: string, values?: unknown[]) => Promise<T[]>;

/**
 * Compares the schema of the database with that of this program, because a newer program may migrate the
 * database while this one runs. Compares at the start, every ten seconds, for `/readyz`, and when a statement
 * fails because it does not fit the schema.
 */
@Injectable()
export class SchemaWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(SchemaWatch.name);
  /**
   * A separate pool, because the main pool answers late when it is busy. All connections of the main pool may
   * even be held by callers that wait for `explain`.
   */
  private readonly pool: Pool;
  private state: SchemaState | undefined;
  private logged = '';
  private faults = 0;
  private readonly check = new SharedCheck(() => this.compare((sql, values) => this.ask(sql, values)), 0);
  private readonly task = new PeriodicTask({
    everyMs: EVERY_MS,
    work: () => this.compare((sql, values = []) => queryPool(this.database, sql, values)),
    onError: (message) => this.log.warn(`The schema of the database could not be compared: ${message}`),
  });

  constructor(
    private readonly database: DataSource,
    settings: DatabaseSettings,
    meter: Meter,
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
    explainFaults(database, (error) => this.explain(error));
    meter.read('gateway_database_migrations', { state: 'pending' }, () => this.state?.pending.length);
    meter.read('gateway_database_migrations', { state: 'newer' }, () => this.state?.newer.length);
    meter.read('gateway_schema_faults_total', {}, () => this.faults);
  }

  onApplicationBootstrap(): void {
    this.task.start();
    void this.task.run();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
    await endPool(this.pool, () => this.pool.end());
  }

  /** Compares now. Rejects if the database does not answer within seconds. */
  current(): Promise<SchemaState> {
    return this.check.result();
  }

  /**
   * Returns the result of the last comparison, at most about ten seconds old. Compares now if there was none.
   */
  async recent(): Promise<SchemaState> {
    return this.state ?? this.current();
  }

  private async ask<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
    return (await this.pool.query<T>(sql, values)).rows;
  }

  private async compare(query: Query): Promise<SchemaState> {
    const { pending, newer, last } = await migrationState(query);
    const missing = newer.length > 0 ? await this.missing(query) : [];
    this.state = { pending, newer, last, missing };
    this.report(this.state);
    return this.state;
  }

  private async missing(query: Query): Promise<string[]> {
    const columns = this.database.entityMetadatas.flatMap(({ tableName, columns: of }) =>
      of
        .filter(({ isVirtualProperty }) => !isVirtualProperty)
        .map(({ databaseName }) => [tableName, databaseName] as const),
    );
    const tables = columns.map(([table]) => table);
    const names = columns.map(([, column]) => column);
    return (await query<{ name: string }>(MISSING, [tables, names])).map(({ name }) => name);
  }

  /** Logs one line for each change of the state. */
  private report(state: SchemaState): void {
    const line = describeDifference(state);
    if (line === this.logged) return;
    if (line === '') this.log.log('The schema of the database is that of this version again');
    else if (state.missing.length > 0 || state.pending.length > 0) this.log.error(line);
    else this.log.warn(line);
    this.logged = line;
  }

  /** Stores whether an error is a fault of the schema. Stores nothing if the check fails. Never rejects. */
  private async explain(error: unknown): Promise<void> {
    const sqlState = sqlStateOfError(error) ?? '';
    const isMisfit = MISFIT.test(sqlState);
    if (!(error instanceof Error) || !(isMisfit || ALSO_OTHERWISE.test(sqlState))) return;
    try {
      if (isMisfit) {
        await this.current();
        // Compares again, because a check that was already running may have begun before the migration.
        if (ageOf(this.state) === undefined) await this.current();
      }
    } catch {
      return;
    }
    const age = ageOf(this.state);
    if (age === undefined) return;
    if (isMisfit) this.faults += 1;
    noteSchemaFault(error, age);
  }
}

function ageOf(state: SchemaState | undefined): SchemaAge | undefined {
  if (state === undefined) return undefined;
  if (state.newer.length > 0) return 'newer';
  return state.pending.length > 0 ? 'older' : undefined;
}

/** Returns the first three names and the number of all others. */
export function fewOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

function describeDifference({ newer, pending, missing }: SchemaState): string {
  if (newer.length > 0) {
    const who = `The database was migrated by a newer version of the gateway (${fewOf(newer)}) than this one (${SCHEMA_VERSION}).`;
    return missing.length > 0
      ? `${who} What this version needs is gone (${fewOf(missing)}): upgrade this gateway.`
      : `${who} Upgrade this gateway: it answers 503 where it needs what was changed.`;
  }
  return pending.length > 0
    ? `The schema of the database is older than this gateway (${fewOf(pending)} not run). Restart a gateway of this version, which migrates it.`
    : '';
}
