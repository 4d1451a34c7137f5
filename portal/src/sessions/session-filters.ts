import type { operations } from '../api/schema';
import { textIn } from '../parts/text-in';

type Query = NonNullable<operations['listSessions']['parameters']['query']>;

/** The filters of the list, by the names of the API. */
export type SessionFilters = Omit<Query, 'limit' | 'count'>;

export type FilterName = Exclude<keyof SessionFilters, 'offset'>;

interface Filter {
  readonly name: FilterName;
  readonly choices?: readonly string[];
  readonly isTime?: true;
  /** Shown only when asked for, or given. */
  readonly isRare?: true;
}

const REVIEW_STATES = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'REVOKED',
  'PROCESSING',
  'EXECUTED',
  'EXPIRED',
  'UNKNOWN',
];

export const FILTERS: readonly Filter[] = [
  { name: 'q' },
  { name: 'user' },
  { name: 'connection' },
  { name: 'type', isRare: true },
  { name: 'verb', choices: ['connect', 'exec'] },
  { name: 'status', choices: ['open', 'ready', 'done'] },
  { name: 'start_date', isTime: true },
  { name: 'end_date', isTime: true },
  { name: 'guardrail', isRare: true },
  { name: 'review.status', choices: REVIEW_STATES, isRare: true },
  { name: 'review.after_review', choices: ['open', 'signed_off'], isRare: true },
  { name: 'review.approver', isRare: true },
  { name: 'batch_id', isRare: true },
  { name: 'correlation_id', isRare: true },
];

/** Filters in an address. What the gateway refuses, it says itself. */
export function filtersIn(search: Record<string, unknown>): SessionFilters {
  const given = FILTERS.flatMap(({ name }) => {
    const value = textIn(search[name]);
    return value === '' ? [] : [[name, value]];
  });
  const offset = Number(search['offset'] ?? 0);
  return { ...Object.fromEntries(given), ...(offset > 0 ? { offset } : {}) };
}
