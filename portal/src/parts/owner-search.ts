import { type PageSearch, pageIn } from './page-search';
import { textIn } from './text-in';

/** Search parameters of a list of what belongs to one user. */
export interface OwnerSearch extends PageSearch {
  /** Id of the user; absent for the signed-in user. */
  readonly user?: string;
}

export function ownerSearchIn(given: Record<string, unknown>): OwnerSearch {
  const user = textIn(given['user']);
  return { ...pageIn(given), ...(user === '' ? {} : { user }) };
}
