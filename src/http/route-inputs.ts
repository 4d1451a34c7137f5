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

/** Where `@ApiQuery` keeps what it was told. */
const API_PARAMETERS = 'swagger/apiParameters';
const UNDOCUMENTED = 'query parameters that are not documented';

/** Query parameters that the route takes besides those that it documents; none named: any. */
export function AlsoTakesQuery(...names: string[]): MethodDecorator {
  return SetMetadata(UNDOCUMENTED, names);
}

const known = new WeakMap<object, RouteInputs>();

/** What the route of a handler takes, as its decorators say. */
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

type Argument = { index: number; data?: unknown };

function readInputs(controller: Function, handler: Function): RouteInputs {
  const args = Object.entries(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Record<string, Argument>,
  );
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) ??
    []) as unknown[];
  const also = Reflect.getMetadata(UNDOCUMENTED, handler) as string[] | undefined;
  const names = args
    .filter(([key]) => key.startsWith(`${QUERY}:`))
    .flatMap(([, { index, data }]) => (typeof data === 'string' ? [data] : namesOf(types[index])));
  return {
    takesBody: args.some(([key]) => key.startsWith(`${BODY}:`)),
    query: also?.length === 0 ? undefined : new Set([...names, ...documented(handler), ...(also ?? [])]),
  };
}

function namesOf(type: unknown): string[] {
  return typeof type === 'function' && type !== Object ? [...fieldsOfDto(type as DtoClass).keys()] : [];
}

function documented(handler: Function): string[] {
  const parameters = (Reflect.getMetadata(API_PARAMETERS, handler) ?? []) as { in?: string; name?: string }[];
  return parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name ?? '');
}
