import type { QueryFunction, QueryKey } from '@tanstack/react-query';
import { queries } from '../api/queries';

/**
 * For route loaders: requests the first data of a page while its code loads, without waiting for the data.
 * When the user only points at a link (`preload`), the code is loaded but no data are requested.
 */
export function ahead<T, K extends QueryKey>(
  cause: 'enter' | 'stay' | 'preload',
  { queryKey, queryFn }: { readonly queryKey: K; readonly queryFn: QueryFunction<T, K> },
): void {
  if (cause !== 'preload') void queries.prefetchQuery({ queryKey, queryFn });
}
