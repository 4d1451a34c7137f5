import { type PageSearch, pageIn } from '../parts/page-search';
import { textIn } from '../parts/text-in';

/** Search parameters of the list of MCP clients. */
export interface ClientSearch extends PageSearch {
  /** Id of the user; absent for the signed-in user. */
  readonly user?: string;
}

export function clientSearchIn(given: Record<string, unknown>): ClientSearch {
  const user = textIn(given['user']);
  return { ...pageIn(given), ...(user === '' ? {} : { user }) };
}
