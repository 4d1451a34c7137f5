import type { EntityManager } from 'typeorm';

/** A database connection in a transaction: a connection from the pool, or the connection of a purge. */
export interface LedgerDatabase {
  query<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Set for connections from the pool. While a caller uses it, it must not wait for a second connection. */
  readonly manager?: EntityManager;
}

export function inTransaction(db: EntityManager): LedgerDatabase {
  return {
    manager: db,
    query: <T extends object>(text: string, values: readonly unknown[] = []) =>
      db.query<T[]>(text, [...values]),
  };
}
