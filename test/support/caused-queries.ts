import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener, Server } from 'node:http';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { ChangeFeed } from '../../src/platform/database/feed/change-feed';
import type { TestGateway } from './gateway';

export interface CausedQueries {
  /**
   * Returns the texts of the queries of all requests that arrived during the work, in order. Before the work,
   * it waits until caches have received every committed change.
   */
  during(work: () => Promise<unknown>): Promise<readonly string[]>;
  stop(): void;
}

/**
 * Watches the queries of requests to a gateway in this process, by the async context of each request. It
 * cannot count all queries of the pool, because heartbeats, deliveries and other background work use the pool
 * too.
 */
export function watchQueries({ app }: Pick<TestGateway, 'app'>): CausedQueries {
  const cause = new AsyncLocalStorage<string[]>();
  let asked: string[] | undefined;

  const server: Server = app.getHttpServer();
  const listeners = server.listeners('request') as RequestListener[];
  const listen = (next: readonly RequestListener[]): void => {
    server.removeAllListeners('request');
    for (const listener of next) server.on('request', listener);
  };
  listen(
    listeners.map((listener): RequestListener => (request, response) => {
      const handle = (): void => listener.call(server, request, response);
      if (asked === undefined) handle();
      else cause.run(asked, handle);
    }),
  );

  const pool = (app.get(DataSource).driver as PostgresDriver).master as Pool;
  const watched = new Map<PoolClient, ClientBase['query']>();
  const queryOf = (client: PoolClient) => Reflect.get(client, 'query');
  const watch = (client: PoolClient): void => {
    if (watched.has(client)) return;
    const query = queryOf(client);
    watched.set(client, query);
    client.query = ((...given: Parameters<typeof query>) => {
      const [asks]: readonly unknown[] = given;
      cause.getStore()?.push(typeof asks === 'string' ? asks : (asks as { text: string }).text);
      return query.apply(client, given);
    }) as typeof query;
  };
  pool.on('acquire', watch);

  return {
    during: async (work) => {
      await app.get(ChangeFeed).caughtUp();
      const own: string[] = [];
      asked = own;
      try {
        await work();
      } finally {
        asked = undefined;
      }
      return [...own];
    },
    stop: () => {
      listen(listeners);
      pool.off('acquire', watch);
      for (const [client, query] of watched) client.query = query;
      cause.disable();
    },
  };
}
