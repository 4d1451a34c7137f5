import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: { type?: string; format?: string; enum?: readonly string[] };
}

/** One operation of openapi.json. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly hasBody: boolean;
  /** Documented statuses, as text: `200`. */
  readonly statuses: readonly string[];
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses: Record<string, object>;
}

const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
};

/** Every operation that the API description names. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    parameters: described.parameters ?? [],
    hasBody: described.requestBody !== undefined,
    statuses: Object.keys(described.responses).filter((status) => status !== 'default'),
  })),
);

export function isPaged(operation: Operation): boolean {
  return operation.parameters.some((parameter) => parameter.name === 'page_size');
}

const lasting = new Set(
  operations
    .filter(({ parameters }) => parameters.some(({ name }) => name === 'seconds'))
    .map(({ path }) => path),
);

/**
 * Returns the query that ends a stream after 1 s, because otherwise a stream lasts as long as the client
 * reads. Returns an empty text for other paths.
 */
export function briefly(path: string): string {
  return lasting.has(path) ? '?seconds=1' : '';
}

/** The operation's path with `id` as its last parameter, and `within` as the parameter before, if any. */
export function pathOf(operation: Operation, id = '', within = 'orders'): string {
  return operation.path.replace(/\{\w+\}(?=.*\{)/, within).replace(/\{\w+\}/, encodeURIComponent(id));
}
