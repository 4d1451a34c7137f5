import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, EntityManager } from 'typeorm';

type Work = (db: EntityManager) => Promise<unknown>;

/**
 * Finds code that requests a connection from the pool while its own transaction holds one. If such
 * transactions hold all connections, they deadlock.
 * @returns The stack traces of these requests; the list grows. Transactions that code begins on its own
 * query runner are not watched.
 */
export function watchNestedConnections(dataSource: DataSource): readonly string[] {
  const found: string[] = [];
  const current = new AsyncLocalStorage<{ isOpen: boolean }>();
  const { manager } = dataSource;
  const transaction = manager.transaction.bind(manager) as (...given: unknown[]) => Promise<unknown>;
  manager.transaction = <T>(...given: unknown[]): Promise<T> => {
    const work = given.pop() as Work;
    const watched: Work = async (db) => {
      const state = { isOpen: true };
      return current.run(state, () => work(db)).finally(() => (state.isOpen = false));
    };
    return transaction(...given, watched) as Promise<T>;
  };
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    if (current.getStore()?.isOpen === true) found.push(new Error('a second connection').stack ?? '');
    return create(mode);
  };
  return found;
}
