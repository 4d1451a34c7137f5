import type { QueryFunction, QueryKey } from '@tanstack/react-query';
import { queries } from '../api/queries';

/**
 * For loaders of routes: asks the gateway for what the page shows first while the code of the page is loaded,
 * and waits for nothing. A link that somebody only points at loads code alone.
 */
export function ahead<T, K extends QueryKey>(
  cause: 'enter' | 'stay' | 'preload',
  { queryKey, queryFn }: { readonly queryKey: K; readonly queryFn: QueryFunction<T, K> },
): void {
  if (cause !== 'preload') void queries.prefetchQuery({ queryKey, queryFn });
}
