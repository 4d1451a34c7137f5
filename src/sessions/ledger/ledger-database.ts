import type { EntityManager } from 'typeorm';

/** A connection within a transaction: of the pool, or of a purge. */
export interface LedgerDatabase {
  query<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Set for connections from the pool. The caller must not wait for a second connection meanwhile. */
  readonly manager?: EntityManager;
}

export function inTransaction(db: EntityManager): LedgerDatabase {
  return {
    manager: db,
    query: <T extends object>(text: string, values: readonly unknown[] = []) =>
      db.query<T[]>(text, [...values]),
  };
}
