import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { EntityManager } from 'typeorm';
import { sqlStateOfError } from '../../platform/database/faults/sql-state';
import { PeriodicTask } from '../../kernel/async/periodic-task';

/** Number of months with partitions, from this month on. A partition is created long before it is needed. */
const MONTHS = 3;
const ENSURE_EVERY_MS = 10 * 60 * 1000;
/**
 * Maximum wait for the lock of the default partition, which a new partition needs. It is short, because
 * readers of the default partition queue behind it.
 */
const LOCK_WITHIN_MS = 200;
const LOCK_NOT_AVAILABLE = '55P03';
/** SQLSTATE: the default partition has rows that belong in the new partition. */
const CHECK_VIOLATION = '23514';
/** SQLSTATE: another gateway created the tables first; they may not be visible here yet. */
const DUPLICATE_TABLE = '42P07';

interface Month {
  readonly month: string;
  readonly moment: Date;
}

/**
 * Creates the partitions of this month and the next ones, at the start and every ten minutes. If another
 * database session holds a lock, the month is tried again after ten minutes.
 */
@Injectable()
export class RecordingMonths implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(RecordingMonths.name);
  private readonly told = new Set<string>();
  private readonly task = new PeriodicTask({
    everyMs: ENSURE_EVERY_MS,
    work: () => this.ensure(),
    onError: (message) => this.log.warn(`Partitions of the coming months could not be created: ${message}`),
  });

  constructor(@InjectEntityManager() private readonly manager: EntityManager) {}

  async onApplicationBootstrap(): Promise<void> {
    this.task.start();
    await this.task.run();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Creates the missing partitions. @throws when the database cannot be queried. */
  async ensure(): Promise<void> {
    for (const missing of await this.missing()) {
      if (this.told.has(missing.month)) continue;
      await this.create(missing).catch((error: unknown) => this.explain(missing, error));
    }
  }

  private missing(): Promise<Month[]> {
    return this.manager.query<Month[]>(
      `SELECT month, moment FROM generate_series(0, ${MONTHS - 1}) AS n,
         LATERAL (SELECT now() + n * interval '1 month' AS moment) AS at,
         LATERAL (SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY_MM') AS month) AS name
       WHERE to_regclass('session_chunks_' || month) IS NULL OR to_regclass('session_texts_' || month) IS NULL`,
    );
  }

  /** Creates a month in a transaction of its own, so that the locks of only one month are held. */
  private async create({ moment }: Month): Promise<void> {
    await this.manager.transaction(async (db) => {
      await db.query(`SET LOCAL lock_timeout = ${LOCK_WITHIN_MS}`);
      await db.query('SELECT ensure_recording_month($1)', [moment]);
    });
  }

  private explain({ month }: Month, error: unknown): void {
    const state = sqlStateOfError(error);
    if (state === DUPLICATE_TABLE) return;
    if (state === LOCK_NOT_AVAILABLE) {
      this.log.log(`The partition of ${month} could not be created and will be retried`);
    } else if (state === CHECK_VIOLATION) {
      // Recordings are never moved. They stay in the default partition, and are removed from it row by row.
      this.told.add(month);
      this.log.warn(
        `No partition was created for ${month}: the default partition already has recordings of that month`,
      );
    } else throw error;
  }
}
