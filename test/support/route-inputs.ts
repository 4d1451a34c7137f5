import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage } from 'class-validator';

type Class = new () => object;

/** `RouteParamtypes` of Nest, which it does not export. */
const [BODY, QUERY, PARAM] = [3, 4, 5];

interface RouteArgument {
  readonly index: number;
  readonly data: string | undefined;
  readonly pipes: readonly unknown[];
}

/** What routes take from a request, read from the running app: classes of bodies and queries, and path parameters. */
export function routeInputs(app: NestExpressApplication): {
  readonly classes: Class[];
  readonly parameters: { readonly route: string; readonly name: string; readonly isChecked: boolean }[];
} {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  const classes = new Set<Class>();
  const parameters = [];
  for (const { metatype } of controllers) {
    const controller = metatype as { name: string; prototype: Record<string, unknown> };
    for (const method of Object.getOwnPropertyNames(controller.prototype)) {
      const handler = controller.prototype[method];
      if (typeof handler !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, handler)) continue;
      const types = Reflect.getMetadata('design:paramtypes', controller.prototype, method) as Class[];
      const taken = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
        string,
        RouteArgument
      >;
      for (const [key, { index, data, pipes }] of Object.entries(taken)) {
        const kind = Number(key.split(':')[0]);
        const type = types[index];
        if ((kind === BODY || kind === QUERY) && type !== undefined) addWithParts(type, classes);
        if (kind === PARAM)
          parameters.push({
            route: `${controller.name}.${method}`,
            name: data ?? '',
            isChecked: pipes.length > 0,
          });
      }
    }
  }
  return { classes: [...classes], parameters };
}

/** The class and those of its fields, at any depth; what has no checked field is no body of ours. */
function addWithParts(type: Class, found: Set<Class>): void {
  if (found.has(type) || checksOf(type).length === 0) return;
  found.add(type);
  for (const { propertyName } of checksOf(type)) {
    const part = defaultMetadataStorage.findTypeMetadata(type, propertyName)?.typeFunction?.() as
      | Class
      | undefined;
    if (part !== undefined) addWithParts(part, found);
  }
}

function checksOf(type: Class) {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
}

/** Names of the checks of each field of a class. */
export function fieldChecks(type: Class): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const { propertyName, name, type: kind } of checksOf(type))
    fields.set(propertyName, [...(fields.get(propertyName) ?? []), name ?? kind]);
  return fields;
}
