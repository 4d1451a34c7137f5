import { loadSqlParser } from '../languages/postgresql/parser';
import { analyse } from './analysis';
import type { Assignment } from './analysis-pool';

/** Entry point of the worker threads. */
export default async function work({ task, begun }: Assignment): Promise<ReturnType<typeof analyse>> {
  begun[0] = Date.now();
  await loadSqlParser();
  return analyse(task);
}
