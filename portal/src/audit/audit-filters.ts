import type { operations } from '../api/schema';
import { pageIn } from '../parts/page-search';
import { textIn } from '../parts/text-in';

type Query = NonNullable<operations['listAuditLogs']['parameters']['query']>;

/** Filters of the audit log, named as in the API. */
export type AuditFilters = Omit<Query, 'page_size'>;

export type AuditFilterName = Exclude<keyof AuditFilters, 'page'>;

type Field = 'text' | 'time' | readonly string[];

const ACTIONS: readonly NonNullable<Query['action']>[] = ['create', 'update', 'delete', 'execute', 'search'];
const OUTCOMES: readonly NonNullable<Query['outcome']>[] = ['success', 'denied', 'failed'];

/** The input type of each filter. The `Record` type makes the compiler report a filter that is missing. */
const FIELDS: Readonly<Record<AuditFilterName, Field>> = {
  actor: 'text',
  resource_type: 'text',
  action: ACTIONS,
  outcome: OUTCOMES,
  created_after: 'time',
  created_before: 'time',
  request_id: 'text',
};

export const AUDIT_FILTERS = Object.entries(FIELDS) as readonly (readonly [AuditFilterName, Field])[];

/** Reads the filters from a URL. The gateway checks their values. */
export function auditFiltersIn(search: Record<string, unknown>): AuditFilters {
  const given = AUDIT_FILTERS.flatMap(([name]) => {
    const value = textIn(search[name]);
    return value === '' ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(given), ...pageIn(search) };
}
