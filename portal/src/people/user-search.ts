import { type PageSearch, pageIn } from '../parts/page-search';
import { textIn } from '../parts/text-in';

/** Search parameters of the list of users. */
export interface UserSearch extends PageSearch {
  readonly search?: string;
}

export function userSearchIn(given: Record<string, unknown>): UserSearch {
  const words = textIn(given['search']);
  return { ...pageIn(given), ...(words === '' ? {} : { search: words }) };
}
