import type { NestExpressApplication } from '@nestjs/platform-express';
import { getMetadataStorage } from 'class-validator';
import { nestedTypeOf } from '../../src/platform/http/body/transformer-parts';
import { routeArguments } from '../../src/platform/http/dto/nest-parts';
import { routeHandlers } from './route-handlers';

type Class = new () => object;

/** Inputs of routes, read from the running app: classes of bodies and queries, and path parameters. */
export function routeInputs(app: NestExpressApplication): {
  readonly classes: Class[];
  readonly parameters: { readonly route: string; readonly name: string; readonly isChecked: boolean }[];
} {
  const classes = new Set<Class>();
  const parameters = [];
  for (const { controller, name: method } of routeHandlers(app)) {
    for (const { part, name, type, pipes } of routeArguments(controller, method)) {
      if (part !== 'param' && type !== undefined) addWithParts(type as Class, classes);
      if (part === 'param')
        parameters.push({
          route: `${controller.name}.${method}`,
          name: name ?? '',
          isChecked: pipes.length > 0,
        });
    }
  }
  return { classes: [...classes], parameters };
}

/** Adds a class and the classes of its fields, at any depth. Skips classes whose fields have no checks. */
function addWithParts(type: Class, found: Set<Class>): void {
  if (found.has(type) || checksOf(type).length === 0) return;
  found.add(type);
  for (const { propertyName } of checksOf(type)) {
    const part = nestedTypeOf(type, propertyName);
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
