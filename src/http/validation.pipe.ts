import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError } from '../kernel/app-error';
import { PageQuery } from './page';

/** Constraints that say the request is malformed (400); all others break a rule of the resource (422). */
const malformed = new Set([
  'isArray',
  'isBoolean',
  'isEnum',
  'isInt',
  'isNumber',
  'isObject',
  'isString',
  'isUuid',
  'nestedValidation',
  'unknownValue',
  'whitelistValidation',
]);

/** No resource comes near it; whoever goes on to walk a body by recursion must not run out of stack. */
const MAX_DEPTH = 64;

const MAY_BE_ABSENT = Symbol('body that may be left out');

const ACCEPTED_AND_IGNORED = Symbol('accepted and ignored fields');

/**
 * Fields of a body that clients may send and that change nothing: the resource's own read-only fields, so
 * that a client may send back what it read, and fields of the reference system's clients.
 */
export function AcceptsAndIgnores(...fields: string[]): ClassDecorator {
  return (target) => Reflect.defineMetadata(ACCEPTED_AND_IGNORED, fields, target);
}

/** A body that may be left out: then it is one without fields. */
export function MayBeAbsent(): ClassDecorator {
  return (target) => Reflect.defineMetadata(MAY_BE_ABSENT, true, target);
}

/**
 * Checks bodies and queries against their DTO class: unknown fields and wrong types are 400, broken rules
 * 422 (contract, "Conventions"); the message names the field.
 */
@Injectable()
export class GatewayValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      exceptionFactory: (errors) => asAppError(errors),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'query' && isList(metadata.metatype)) return this.transformQuery(value, metadata);
    if (metadata.type !== 'body' || metadata.metatype === undefined) return super.transform(value, metadata);
    if (value === undefined && Reflect.hasMetadata(MAY_BE_ABSENT, metadata.metatype))
      return super.transform({}, metadata);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new AppError('malformed', 'the request body must be a JSON object');
    }
    if (isDeeperThan(MAX_DEPTH, value)) {
      throw new AppError('malformed', `the request body is nested more than ${MAX_DEPTH} levels deep`);
    }
    const ignored =
      (Reflect.getMetadata(ACCEPTED_AND_IGNORED, metadata.metatype) as string[] | undefined) ?? [];
    const kept = Object.fromEntries(Object.entries(value).filter(([key]) => !ignored.includes(key)));
    // Otherwise the transformer would meet them as instructions, not as data.
    const poison = Object.keys(kept).find(
      (key) => key === '__proto__' || key === 'constructor' || key === 'prototype',
    );
    if (poison !== undefined) throw new AppError('malformed', `unknown field ${poison}`);
    return super.transform(kept, metadata);
  }

  /** A bad query value of a list is a malformed request, whatever is bad about it. */
  private async transformQuery(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    try {
      return await super.transform(value, metadata);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError('malformed', error.message);
    }
  }
}

function isList(type: ArgumentMetadata['metatype']): boolean {
  return type === PageQuery || type?.prototype instanceof PageQuery;
}

function asAppError(errors: readonly ValidationError[]): AppError {
  const faults = errors.flatMap((error) => describe(error, ''));
  const isMalformed = faults.some((fault) => malformed.has(fault.constraint));
  return new AppError(
    isMalformed ? 'malformed' : 'unprocessable',
    [...new Set(faults.map((fault) => fault.message))].join('; '),
  );
}

function describe(error: ValidationError, parent: string): { constraint: string; message: string }[] {
  const path = parent === '' ? error.property : `${parent}.${error.property}`;
  const broken = Object.entries(error.constraints ?? {});
  // One fault a field, and a wrong type before all others: it is why the others fail too.
  const first = broken.find(([constraint]) => malformed.has(constraint)) ?? broken[0];
  const own = (first === undefined ? [] : [first]).map(([constraint, message]) => ({
    constraint,
    message: inPlainWords(constraint, message, error.property, path),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => describe(child, path))];
}

function inPlainWords(constraint: string, message: string, property: string, path: string): string {
  switch (constraint) {
    case 'whitelistValidation':
      return `unknown field ${path}`;
    case 'nestedValidation':
      return `${path} must be an object`;
    default:
      return property === path ? message : message.replace(property, path);
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}
