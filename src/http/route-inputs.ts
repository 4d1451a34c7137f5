import { SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { type DtoClass, fieldsOfDto } from './dto-fields';

/** What a route takes besides its path. */
export interface RouteInputs {
  readonly takesBody: boolean;
  /** Names of its query parameters; undefined: whatever comes. */
  readonly query: ReadonlySet<string> | undefined;
}

/** `RouteParamtypes` of Nest, which it does not export. */
const BODY = '3';
const QUERY = '4';

const ANY_QUERY = 'takes any query parameter';

/** The route takes whatever query parameters come, and reads the query string itself. */
export function TakesAnyQuery(): MethodDecorator {
  return SetMetadata(ANY_QUERY, true);
}

const known = new WeakMap<object, RouteInputs>();

/** What the route of a handler takes, as its DTO classes say. @throws Error for a query that none reads */
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

type Argument = { index: number };

function readInputs(controller: Function, handler: Function): RouteInputs {
  const args = Object.entries(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Record<string, Argument>,
  );
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) ??
    []) as unknown[];
  const names = args
    .filter(([key]) => key.startsWith(`${QUERY}:`))
    .flatMap(([, { index }]) => namesOf(types[index]));
  return {
    takesBody: args.some(([key]) => key.startsWith(`${BODY}:`)),
    query: Reflect.getMetadata(ANY_QUERY, handler) === true ? undefined : new Set(names),
  };
}

function namesOf(type: unknown): string[] {
  if (typeof type !== 'function' || type === Object) throw new Error('a query is read by a DTO class');
  return [...fieldsOfDto(type as DtoClass).keys()];
}
