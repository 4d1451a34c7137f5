import { loadLanguages } from '../../languages/languages';
import { analyse } from './analysis';
import type { Assignment } from './analysis-pool';

/** Entry point of the worker threads. */
export default async function work({ task, begun }: Assignment): Promise<ReturnType<typeof analyse>> {
  begun[0] = Date.now();
  await loadLanguages();
  return analyse(task);
}
