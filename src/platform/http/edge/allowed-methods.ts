import type { Request, RequestHandler } from 'express';
import { EdgeFault } from './edge-fault';

/**
 * Private parts of Express, used only in this file: a layer of the router has a route and matches paths. A
 * 405 answer must list the methods of the path (`Allow`), and Express has no public function for that.
 * `allowed-methods.spec.ts` fails when a version changes these parts.
 */
interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

type Asked = Pick<Request, 'app' | 'originalUrl'>;

/**
 * The methods that the path of a request supports; empty for an unknown path. If a route without parameters
 * has exactly this path, routes with parameters do not count. So `/reviews/stream` is no review with the id
 * `stream`, as in the API description.
 */
export function allowedMethods(request: Asked): string[] {
  const path = pathOf(request);
  const found = layersOf(request).filter((layer) => matches(layer, path));
  const words = found.filter(isOfWords);
  const methods = (words.length > 0 ? words : found)
    .flatMap(({ route }) => Object.keys(route?.methods ?? {}))
    .map((method) => method.toUpperCase());
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

/**
 * Protects paths without parameters, such as `/reviews/stream`, from routes that would accept the last
 * segment as an id. Refuses a method that such a path does not support. For other paths, the router refuses
 * the method.
 */
export function keepWordsApart(): RequestHandler {
  let words: ReadonlySet<string> | undefined;
  return (request, _response, next) => {
    words ??= wordsAmongIds(request);
    const path = pathOf(request).toLowerCase().replace(/\/$/, '');
    next(words.has(path) ? wrongMethod(request) : undefined);
  };
}

/**
 * Returns the refusal of a method that the path does not support; undefined for a supported method, and for
 * an unknown path.
 */
export function wrongMethod(request: Asked & Pick<Request, 'method'>): EdgeFault | undefined {
  const methods = allowedMethods(request);
  if (methods.length === 0 || methods.includes(request.method)) return undefined;
  const allowed = methods.join(', ');
  return new EdgeFault(405, `this route supports ${allowed}, not ${request.method}`, { Allow: allowed });
}

function pathOf({ originalUrl }: Asked): string {
  return originalUrl.split('?')[0] ?? '';
}

/** The layers of all routes, except routes for all methods, which exist only to answer 404. */
function layersOf({ app }: Asked): readonly Layer[] {
  const { router } = app as unknown as { router: { stack: readonly Layer[] } };
  return router.stack.filter(({ route }) => route !== undefined && route.methods['_all'] !== true);
}

/** Whether the path of the route has no parameter. */
function isOfWords({ route }: Layer): boolean {
  return typeof route?.path === 'string' && !/[:*{(]/.test(route.path);
}

/** Paths without parameters, in lower case, that a route with a parameter matches as well. */
function wordsAmongIds(request: Asked): ReadonlySet<string> {
  const layers = layersOf(request);
  const others = layers.filter((layer) => !isOfWords(layer));
  const paths = layers.filter(isOfWords).map(({ route }) => String(route?.path));
  return new Set(
    paths
      .filter((path) => others.some((layer) => matches(layer, path)))
      .map((path) => path.toLowerCase().replace(/\/$/, '')),
  );
}

/** Whether a layer matches a path. A path that is not valid UTF-8 matches nothing. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
