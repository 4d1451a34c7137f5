import { SetMetadata } from '@nestjs/common';
import { type DtoClass, fieldsOfDto } from '../dto/dto-fields';
import { routeArguments } from '../dto/nest-parts';

/** Inputs of a route besides its path. */
export interface RouteInputs {
  readonly takesBody: boolean;
  /** Names of the allowed query parameters; undefined allows any. */
  readonly query: ReadonlySet<string> | undefined;
}

const ANY_QUERY = 'takes any query parameter';

/** Marks a route that accepts any query parameters and parses the query string itself. */
export function TakesAnyQuery(): MethodDecorator {
  return SetMetadata(ANY_QUERY, true);
}

const known = new WeakMap<object, RouteInputs>();

/** Derives the inputs of a route from its DTO classes. @throws Error for a query without a DTO class */
export function routeInputs(
  controller: DtoClass | (abstract new (...args: never[]) => object),
  handler: Function,
): RouteInputs {
  const found = known.get(handler);
  if (found !== undefined) return found;
  const inputs = readInputs(controller, handler);
  known.set(handler, inputs);
  return inputs;
}

function readInputs(controller: Function, handler: Function): RouteInputs {
  const args = routeArguments(controller, handler.name);
  const names = args.filter(({ part }) => part === 'query').flatMap(({ type }) => namesOf(type));
  return {
    takesBody: args.some(({ part }) => part === 'body'),
    query: Reflect.getMetadata(ANY_QUERY, handler) === true ? undefined : new Set(names),
  };
}

function namesOf(type: unknown): string[] {
  if (typeof type !== 'function' || type === Object) throw new Error('a query is read by a DTO class');
  return [...fieldsOfDto(type as DtoClass).keys()];
}
