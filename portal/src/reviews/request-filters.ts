import type { operations } from '../api/schema';
import { type PageSearch, pageIn } from '../parts/page-search';
import { textIn } from '../parts/text-in';
import { texts } from '../texts';

type Query = NonNullable<operations['listReviews']['parameters']['query']>;

/** Filters of the list of all requests, named as in the API. */
export type RequestFilters = PageSearch & Pick<Query, 'status' | 'after_review'>;

type Choices<Name extends 'status' | 'after_review'> = Readonly<Record<NonNullable<Query[Name]>, string>>;

/** Text of each choice. The `Choices` type makes the compiler report a value of the API without a text. */
const status: Choices<'status'> = texts.reviews.states;
const after_review: Choices<'after_review'> = texts.sessions.choices.after_review;
export const REQUEST_CHOICES = { status, after_review };

export type RequestFilterName = keyof typeof REQUEST_CHOICES;

/** Reads the filters from a URL. Ignores values that the API does not know. */
export function requestFiltersIn(search: Record<string, unknown>): RequestFilters {
  const given = Object.entries(REQUEST_CHOICES).flatMap(([name, choices]) => {
    const value = textIn(search[name]);
    return Object.hasOwn(choices, value) ? [[name, value]] : [];
  });
  return { ...pageIn(search), ...Object.fromEntries(given) };
}
