import type { NestExpressApplication } from '@nestjs/platform-express';
import { ACCESS, type Policy } from '../../src/platform/http/routes/access';
import { routeInputs } from '../../src/platform/http/routes/route-inputs';
import { routeHandlers } from './route-handlers';

export interface Route {
  readonly method: string;
  readonly path: string;
  /** Access policy of the route; undefined if the route declares none. */
  readonly policy: Policy | 'public' | undefined;
  readonly takesBody: boolean;
}

/** Every route of every controller, read from the running app. */
export function controllerRoutes(app: NestExpressApplication): Route[] {
  return routeHandlers(app).map(({ controller, handler, method, path }) => ({
    method,
    path,
    policy: Reflect.getMetadata(ACCESS, handler) as Route['policy'],
    takesBody: routeInputs(controller as unknown as new () => object, handler).takesBody,
  }));
}

/**
 * Returns the routes that are registered in the HTTP router, without the API prefix: `GET /path`. Leaves out
 * middleware, which is mounted on the prefix and on all paths below it.
 */
export function routerRoutes(app: NestExpressApplication, prefix: string): string[] {
  const { router } = app.getHttpAdapter().getInstance() as unknown as {
    router: { stack: { route?: { path: string | string[]; methods: Record<string, boolean> } }[] };
  };
  return router.stack.flatMap(({ route }) =>
    route === undefined
      ? []
      : [route.path]
          .flat()
          .filter((path) => path !== prefix && !path.includes('*'))
          .flatMap((path) =>
            Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${path.replace(prefix, '')}`),
          ),
  );
}
