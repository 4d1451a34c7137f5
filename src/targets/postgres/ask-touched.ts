import { Logger } from '@nestjs/common';
import type { TableFact } from '../../languages/postgresql/facts/facts';
import type { Reach } from '../../languages/postgresql/facts/reach';
import { onCatalog } from './on-catalog';
import type { PostgresSecret } from './target-tls';
import { touchedTables } from './touched-tables';
import { withTimeout } from './with-timeout';

/** Time-out, because the client waits. Without an answer, rules treat the statement as touching any table. */
const ANSWER_WITHIN_MS = 5_000;

const log = new Logger('TouchedTables');

/**
 * Returns a function that queries the target's catalog for the tables that a statement touches without naming
 * them. Answers are not cached.
 * @param open decrypts the target's secret when it is needed; it may throw.
 * @returns a function that never rejects; it resolves with undefined when the catalog gave no answer.
 */
export function askTouched(
  open: () => PostgresSecret,
): (reaches: readonly Reach[]) => Promise<TableFact[] | undefined> {
  return async (reaches) => {
    try {
      return await withTimeout(ANSWER_WITHIN_MS, undefined, (signal) =>
        onCatalog(open(), 'access-gateway catalog', signal, async (client) => {
          const tables: TableFact[] = [];
          for (const reach of reaches) {
            const touched = await touchedTables(client, reach);
            if (touched === undefined) return undefined;
            tables.push(...touched);
          }
          return tables;
        }),
      );
    } catch (error) {
      log.warn({ err: error }, 'A target could not be asked which tables a statement touches');
      return undefined;
    }
  };
}
