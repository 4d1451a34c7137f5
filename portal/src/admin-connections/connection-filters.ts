import type { operations } from '../api/schema';
import { pageIn } from '../parts/page-search';
import { textIn } from '../parts/text-in';

type Query = NonNullable<operations['listConnections']['parameters']['query']>;

/** Filters of the list, named as in the API. The URL stores them. */
export type ConnectionFilters = Omit<Query, 'page_size' | 'type'>;

export const CONNECTION_FILTERS = [
  'search',
  'subtype',
  'attribute',
  'tag_selector',
] as const satisfies readonly (keyof ConnectionFilters)[];

/** Reads the filters from a URL. The gateway checks their values. */
export function connectionFiltersIn(given: Record<string, unknown>): ConnectionFilters {
  const filters = CONNECTION_FILTERS.flatMap((name) => {
    const value = textIn(given[name]);
    return value === '' ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(filters), ...pageIn(given) };
}
