import type { ParsedUrlQuery } from 'node:querystring';
import type { Filter } from '../filter/filter';
import { parseFilter } from '../filter/parse-filter';
import type { ResourceType } from '../schema/attribute';
import { invalidValue } from '../values/scim-fault';

const DEFAULT_COUNT = 100;
export const MAX_COUNT = 200;

/** Parameters of a request for a list (RFC 7644, section 3.4.2). */
export interface ListQuery {
  readonly filter: Filter | undefined;
  /** Number of the first result to return; the first of all results is 1. */
  readonly startIndex: number;
  /** Maximum number of results; with 0, the answer contains only the total number. */
  readonly count: number;
}

/**
 * Reads the parameters of a list request. Ignores unknown parameters, and also `sortBy` and `sortOrder`,
 * because sorting is not supported. @throws ScimFault
 */
export function readListQuery(query: ParsedUrlQuery, type: ResourceType): ListQuery {
  const filter = one(query, 'filter');
  return {
    filter: filter === undefined || filter.trim() === '' ? undefined : parseFilter(filter, type),
    startIndex: Math.max(integer(query, 'startIndex') ?? 1, 1),
    count: Math.min(Math.max(integer(query, 'count') ?? DEFAULT_COUNT, 0), MAX_COUNT),
  };
}

export function one(query: ParsedUrlQuery, name: string): string | undefined {
  const value = query[name];
  if (Array.isArray(value)) throw invalidValue(`${name} may be given once`);
  return value;
}

function integer(query: ParsedUrlQuery, name: string): number | undefined {
  const text = one(query, name);
  if (text === undefined || text === '') return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw invalidValue(`${name} must be a whole number`);
  return Number(text);
}
