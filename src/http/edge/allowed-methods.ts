import type { Request } from 'express';

/**
 * Private parts of Express, used only in this file: a layer of the router is a route and matches paths. A 405 answer must list the
 * methods of the path (`Allow`), and Express has no public function for it. `allowed-methods.spec.ts` fails when a version changes them.
 */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods that the path of a request supports; empty for an unknown path. */
export function allowedMethods(request: Pick<Request, 'app' | 'originalUrl'>): string[] {
  const { router } = request.app as unknown as { router: { stack: readonly Layer[] } };
  const path = request.originalUrl.split('?')[0] ?? '';
  const methods = router.stack
    // Routes for all methods exist only to answer 404.
    .filter(
      (layer) => layer.route !== undefined && layer.route.methods['_all'] !== true && matches(layer, path),
    )
    .flatMap(({ route }) => Object.keys(route?.methods ?? {}))
    .map((method) => method.toUpperCase());
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

/** A path that is not valid UTF-8 matches nothing. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
