/** Search parameter of a URL with the page number of a list. */
export interface PageSearch {
  readonly page?: number;
}

export function pageIn(search: Record<string, unknown>): PageSearch {
  const page = Math.trunc(Number(search['page'] ?? 1));
  return page > 1 ? { page } : {};
}
