import { type PageSearch, pageIn } from '../parts/page-search';
import { textIn } from '../parts/text-in';

/** The user whose clients an address asks for. */
export interface ClientSearch extends PageSearch {
  /** Id of the user; absent: the reader. */
  readonly user?: string;
}

export function clientSearchIn(given: Record<string, unknown>): ClientSearch {
  const user = textIn(given['user']);
  return { ...pageIn(given), ...(user === '' ? {} : { user }) };
}
