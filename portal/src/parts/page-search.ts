/** The page of a list that an address asks for. */
export interface PageSearch {
  readonly page?: number;
}

export function pageIn(search: Record<string, unknown>): PageSearch {
  const page = Math.trunc(Number(search['page'] ?? 1));
  return page > 1 ? { page } : {};
}
