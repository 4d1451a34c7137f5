import type { NestExpressApplication } from '@nestjs/platform-express';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { ACCESS, type Policy } from '../../src/http/access';
import { routeInputs } from '../../src/http/route-inputs';

export interface Route {
  readonly method: string;
  readonly path: string;
  /** undefined: the route states no rule. */
  readonly policy: Policy | 'public' | undefined;
  readonly takesBody: boolean;
}

/** Every route of every controller, read from the running app. */
export function controllerRoutes(app: NestExpressApplication): Route[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers.flatMap(({ metatype }) => {
    const prototype = (metatype as { prototype: object }).prototype;
    const base = Reflect.getMetadata(PATH_METADATA, metatype as object) as string;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler = (prototype as Record<string, unknown>)[name];
      if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
      const path = `/${base}/${Reflect.getMetadata(PATH_METADATA, handler) as string}`;
      return {
        method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod],
        path: path.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1'),
        policy: Reflect.getMetadata(ACCESS, handler) as Route['policy'],
        takesBody: routeInputs(metatype as new () => object, handler).takesBody,
      };
    });
  });
}

/**
 * What the HTTP router really answers to, without the API prefix: `GET /path`. Middleware, which is mounted on the
 * prefix and on everything below it, is left out.
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
