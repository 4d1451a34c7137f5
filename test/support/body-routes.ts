import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { DtoClass } from '../../src/platform/http/dto/dto-fields';
import { routeArguments } from '../../src/platform/http/dto/nest-parts';
import { routeHandlers } from './route-handlers';

export interface BodyRoute {
  readonly operationId: string;
  readonly body: DtoClass;
  /** Names of the fields of the route's successful answer. */
  readonly answered: ReadonlySet<string>;
  /** Names of the fields in all answers of the route's controller, including the items of lists. */
  readonly shown: ReadonlySet<string>;
}

/** Returns the routes with a request body, read from the running app: body class and answer fields. */
export function bodyRoutes(app: NestExpressApplication): BodyRoute[] {
  const handlers = routeHandlers(app);
  return handlers.flatMap(({ controller, name, handler }) => {
    const shown = new Set(
      handlers
        .filter((other) => other.controller === controller)
        .flatMap((other) => answersOf(other.handler).flatMap((type) => [type, ...itemsOf(type)]))
        .flatMap(fieldsOf),
    );
    const { operationId } = Reflect.getMetadata('swagger/apiOperation', handler) as { operationId: string };
    return routeArguments(controller, name)
      .filter(({ part }) => part === 'body')
      .map(({ type }) => ({
        operationId,
        body: type as DtoClass,
        answered: new Set(answersOf(handler).flatMap(fieldsOf)),
        shown,
      }));
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

/** Returns the class of the items of a page; empty if the type is not a page. */
function itemsOf(type: DtoClass): DtoClass[] {
  const data = Reflect.getMetadata('swagger/apiModelProperties', type.prototype as object, 'data') as
    | { type?: DtoClass | [DtoClass] }
    | undefined;
  return [data?.type ?? []].flat().filter((item) => typeof item === 'function');
}

/** Returns the names of the fields. Nest stores them with a colon: `:name`. */
function fieldsOf(type: DtoClass): string[] {
  const marked = (Reflect.getMetadata('swagger/apiModelPropertiesArray', type.prototype as object) ??
    []) as string[];
  return marked.map((name) => name.slice(1));
}
