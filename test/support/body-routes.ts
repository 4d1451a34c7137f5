import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { DtoClass } from '../../src/http/dto-fields';

/** `RouteParamtypes` of Nest, which it does not export. */
const BODY = '3';

export interface BodyRoute {
  readonly operationId: string;
  readonly body: DtoClass;
  /** Names of the fields of what it answers when it succeeds. */
  readonly answered: ReadonlySet<string>;
  /** Those of everything that its controller answers, with the items of lists. */
  readonly shown: ReadonlySet<string>;
}

/** The routes that take a body, read from the running app, with its class and what they answer. */
export function bodyRoutes(app: NestExpressApplication): BodyRoute[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers.flatMap(({ metatype }) => {
    const controller = metatype as { prototype: Record<string, unknown> };
    const shown = new Set(
      Object.getOwnPropertyNames(controller.prototype)
        .map((method) => controller.prototype[method])
        .filter((handler) => typeof handler === 'function')
        .flatMap((handler) => answersOf(handler).flatMap((type) => [type, ...itemsOf(type)]))
        .flatMap(fieldsOf),
    );
    return Object.getOwnPropertyNames(controller.prototype).flatMap((method) => {
      const handler = controller.prototype[method];
      if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
      const taken = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
        string,
        { index: number }
      >;
      const types = Reflect.getMetadata('design:paramtypes', controller.prototype, method) as DtoClass[];
      const { operationId } = Reflect.getMetadata('swagger/apiOperation', handler) as { operationId: string };
      return Object.entries(taken)
        .filter(([key]) => key.split(':')[0] === BODY)
        .map(([, { index }]) => ({
          operationId,
          body: types[index] as DtoClass,
          answered: new Set(answersOf(handler).flatMap(fieldsOf)),
          shown,
        }));
    });
  });
}

function answersOf(handler: object): DtoClass[] {
  const responses = (Reflect.getMetadata('swagger/apiResponse', handler) ?? {}) as Record<
    string,
    { type?: DtoClass }
  >;
  return Object.entries(responses).flatMap(([status, { type }]) =>
    status.startsWith('2') && type !== undefined ? [type] : [],
  );
}

/** Of a page. */
function itemsOf(type: DtoClass): DtoClass[] {
  const data = Reflect.getMetadata('swagger/apiModelProperties', type.prototype as object, 'data') as
    | { type?: DtoClass | [DtoClass] }
    | undefined;
  return [data?.type ?? []].flat().filter((item) => typeof item === 'function');
}

/** As the package keeps them: `:name`. */
function fieldsOf(type: DtoClass): string[] {
  const marked = (Reflect.getMetadata('swagger/apiModelPropertiesArray', type.prototype as object) ??
    []) as string[];
  return marked.map((name) => name.slice(1));
}
