import type { components, paths } from './schema.js';

type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : undefined;

interface Page {
  readonly data: readonly unknown[];
  readonly pages: components['schemas']['PageInfo'];
}

/** The lists that have pages: `page` and `page_size`. */
export type PagedPath = {
  [Path in keyof paths]: Answer<Path> extends Page ? Path : never;
}[keyof paths];

/** Type of the items of a list with pages. */
export type ItemOf<Path extends PagedPath> =
  Answer<Path> extends { readonly data: readonly (infer Item)[] } ? Item : never;

type QueryOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : never;

/** The filters of a list. */
export type PageQuery<Path extends PagedPath> = Omit<QueryOf<Path>, 'page'>;

/** Yields the items of all pages. Reads each page when it is needed. */
export async function* eachOf<Item>(
  read: (page: number) => Promise<{
    readonly data: readonly Item[];
    readonly pages: components['schemas']['PageInfo'];
  }>,
): AsyncGenerator<Item, void> {
  for (let page = 1; ; page++) {
    const { data, pages } = await read(page);
    yield* data;
    if (data.length === 0 || page * pages.size >= pages.total) return;
  }
}
