import type { EntityManager } from 'typeorm';

/** A connection within a transaction, whoever opened it. */
export interface LedgerDatabase {
  query<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Absent where it is no connection of the pool. Who has one must not wait for another. */
  readonly manager?: EntityManager;
}

export function inTransaction(db: EntityManager): LedgerDatabase {
  return {
    manager: db,
    query: <T extends object>(text: string, values: readonly unknown[] = []) =>
      db.query<T[]>(text, [...values]),
  };
}
