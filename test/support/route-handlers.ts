import 'reflect-metadata';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** A method of a controller that answers a route. */
export interface RouteHandler {
  readonly controller: Function & { readonly prototype: Record<string, unknown> };
  /** Name of the method. */
  readonly name: string;
  readonly handler: Function;
  /** HTTP method, such as `GET`. */
  readonly method: string;
  /** Path of the route, without the API prefix. */
  readonly path: string;
}

/** The handlers of all controllers of the running app. */
export function routeHandlers(app: NestExpressApplication): RouteHandler[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers.flatMap(({ metatype }) => {
    const controller = metatype as RouteHandler['controller'];
    const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
    return Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
      const handler = controller.prototype[name];
      if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      const path = `/${base}/${Reflect.getMetadata(PATH_METADATA, handler) as string}`;
      return {
        controller,
        name,
        handler,
        method,
        path: path.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1'),
      };
    });
  });
}
