import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';

/**
 * Private parts of NestJS and its swagger package, used in the program only in this file: the metadata of
 * their decorators. It contains the body and query parameters that a route accepts, so that they need no
 * second declaration. `nest-parts.spec.ts` fails when a version changes these parts.
 */

/** Numbers of the enumeration `RouteParamtypes`, which Nest does not export. */
const PARTS: Readonly<Record<string, RouteArgument['part']>> = { 3: 'body', 4: 'query', 5: 'param' };
/** Metadata key of `@ApiProperty`. */
const API_PROPERTY = 'swagger/apiModelProperties';

/** An argument of a handler that is read from the request. */
export interface RouteArgument {
  readonly part: 'body' | 'query' | 'param';
  /** Argument of the decorator: `id` in `@Param('id')`. */
  readonly name: string | undefined;
  /** Declared type; `Object` for an interface. */
  readonly type: unknown;
  readonly pipes: readonly unknown[];
}

/** The arguments of a handler that are a body, a query or a part of the path. */
export function routeArguments(controller: Function, handler: string): RouteArgument[] {
  const marked = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<
    string,
    { index: number; data?: string; pipes: readonly unknown[] }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler) ??
    []) as unknown[];
  return Object.entries(marked).flatMap(([key, { index, data, pipes }]) => {
    const part = PARTS[key.split(':')[0] ?? ''];
    return part === undefined ? [] : [{ part, name: data, type: types[index], pipes }];
  });
}

/** Whether the field of a DTO class is documented as one that may be null. */
export function isNullable(type: Function, field: string): boolean {
  const documented = Reflect.getMetadata(API_PROPERTY, type.prototype as object, field) as
    | { nullable?: boolean }
    | undefined;
  return documented?.nullable === true;
}
