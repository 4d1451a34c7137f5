import type { operations } from '../api/schema';
import { textIn } from '../parts/text-in';
import { texts } from '../texts';

type Query = NonNullable<operations['listSessions']['parameters']['query']>;

/** The filters of the list, by the names of the API. */
export type SessionFilters = Omit<Query, 'limit' | 'count'>;

export type FilterName = Exclude<keyof SessionFilters, 'offset'>;

interface Filter {
  readonly name: FilterName;
  /** Labels of the possible values, by their names in the API. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly isTime?: true;
  /** Whether the field is hidden while it is empty, unless the user asks for all filters. */
  readonly isRare?: true;
}

const { choices } = texts.sessions;

export const FILTERS: readonly Filter[] = [
  { name: 'q' },
  { name: 'user' },
  { name: 'connection' },
  { name: 'type', isRare: true },
  { name: 'verb', choices: choices.verb },
  { name: 'status', choices: choices.status },
  { name: 'start_date', isTime: true },
  { name: 'end_date', isTime: true },
  { name: 'guardrail', isRare: true },
  { name: 'review.status', choices: texts.reviews.states, isRare: true },
  { name: 'review.after_review', choices: choices.after_review, isRare: true },
  { name: 'review.approver', isRare: true },
  { name: 'batch_id', isRare: true },
  { name: 'correlation_id', isRare: true },
];

/** Reads the filters from an address. Invalid values are kept, because the gateway reports them. */
export function filtersIn(search: Record<string, unknown>): SessionFilters {
  const given = FILTERS.flatMap(({ name }) => {
    const value = textIn(search[name]);
    return value === '' ? [] : [[name, value]];
  });
  const offset = Number(search['offset'] ?? 0);
  return { ...Object.fromEntries(given), ...(offset > 0 ? { offset } : {}) };
}
