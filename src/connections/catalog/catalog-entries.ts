import { type CatalogEntry, checkCatalog } from './catalog-entry';
import data from './mcp-catalog.json';

/** The built-in catalog by name, validated once: the gateway does not start with an invalid one. */
export const catalogEntries: ReadonlyMap<string, CatalogEntry> = new Map(
  checkCatalog(data).map((entry) => [entry.name, entry]),
);
