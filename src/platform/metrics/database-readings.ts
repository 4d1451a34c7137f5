import { Pool } from 'pg';
import { SharedCheck } from '../../kernel/async/shared-check';
import { endPool } from '../../kernel/runtime/end-pool';
import { settlesWithin } from '../../kernel/async/timeout';
import type { Meter } from './meter';
import type { LabelsOf, NameOf } from './table';

/** Minimum time between two reads from the database. Scrapes in between get the same numbers. */
const GOOD_FOR_MS = 10_000;
/** Maximum time that a scrape waits for the database. Prometheus aborts a scrape after 10 s by default. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * A statement that reads numbers from the tables of a module, with the meaning of its numeric columns.
 */
export interface DatabaseReading {
  readonly sql: string;
  /** Series for each column of the single result row, by column name. */
  readonly columns: Readonly<Record<string, ColumnSeries>>;
}

type ColumnSeries = {
  [N in NameOf<'gauge'>]: { readonly name: N; readonly labels: LabelsOf<N> };
}[NameOf<'gauge'>];

/**
 * Reads numbers from the database for scrapes. Uses its own connection, so that a busy pool does not delay
 * the numbers. If the database does not answer in time, `gateway_database_up` is 0. The other numbers are
 * missing once the read has failed.
 */
export class DatabaseReadings {
  private readonly pool: Pool;
  private readonly check = new SharedCheck(() => this.ask(), GOOD_FOR_MS);
  private known = new Map<ColumnSeries, number>();
  private isUp = false;

  constructor(
    url: string,
    private readonly readings: readonly DatabaseReading[],
    meter: Meter,
  ) {
    this.pool = new Pool({
      connectionString: url,
      application_name: 'access-gateway metrics',
      max: 1,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      statement_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
    });
    // The loss of an idle connection needs no handling, because the pool opens another one when needed.
    this.pool.on('error', () => undefined);
    meter.read('gateway_database_up', {}, () => Number(this.isUp));
    for (const series of readings.flatMap(({ columns }) => Object.values(columns)))
      // The cast is needed because TypeScript cannot match the name and the labels of a union.
      meter.read(series.name, series.labels as never, () => this.known.get(series));
  }

  /** Reads the numbers again if they are older than ten seconds. Never rejects. */
  async refresh(): Promise<void> {
    // If the database answers too late for this scrape, the next scrape gets the numbers.
    if (!(await settlesWithin(this.check.result(), ANSWER_WITHIN_MS))) this.isUp = false;
  }

  async close(): Promise<void> {
    await endPool(this.pool, () => this.pool.end());
  }

  private async ask(): Promise<void> {
    const known = new Map<ColumnSeries, number>();
    try {
      for (const { sql, columns } of this.readings) {
        const { rows } = await this.pool.query<Record<string, string | number | null>>(sql);
        for (const [column, series] of Object.entries(columns)) {
          const value = rows[0]?.[column];
          if (value !== null && value !== undefined) known.set(series, Number(value));
        }
      }
      if (this.readings.length === 0) await this.pool.query('SELECT 1');
      this.isUp = true;
      this.known = known;
    } catch {
      this.isUp = false;
      this.known = new Map();
    }
  }
}
