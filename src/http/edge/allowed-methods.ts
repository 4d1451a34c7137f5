import type { Request } from 'express';

/** What this file reads of the router of Express: each layer is a route, and knows whether a path is its own. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods that the path of a request can be called with; none for a path that nothing answers to. */
export function allowedMethods(request: Request): string[] {
  const { router } = request.app as unknown as { router: { stack: readonly Layer[] } };
  const path = request.originalUrl.split('?')[0] ?? '';
  const methods = router.stack
    // Routes for all methods are there to say that there is none.
    .filter(
      (layer) => layer.route !== undefined && layer.route.methods['_all'] !== true && matches(layer, path),
    )
    .flatMap(({ route }) => Object.keys(route?.methods ?? {}))
    .map((method) => method.toUpperCase());
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

/** A path that is no UTF-8 is nobody's. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
