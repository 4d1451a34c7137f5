import type { QueryFunction, QueryKey } from '@tanstack/react-query';
import { queries } from '../api/queries';

/**
 * For loaders of routes: requests the first data of a page while the code of the page loads, and waits for
 * nothing. A link under the pointer loads code alone.
 */
export function ahead<T, K extends QueryKey>(
  cause: 'enter' | 'stay' | 'preload',
  { queryKey, queryFn }: { readonly queryKey: K; readonly queryFn: QueryFunction<T, K> },
): void {
  if (cause !== 'preload') void queries.prefetchQuery({ queryKey, queryFn });
}
