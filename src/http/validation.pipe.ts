import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError } from '../kernel/app-error';

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

const ACCEPTED_AND_IGNORED = Symbol('accepted and ignored fields');

/**
 * Fields of a body that clients may send and that change nothing: the resource's own read-only fields, so
 * that a client may send back what it read, and fields of the reference system's clients.
 */
export function AcceptsAndIgnores(...fields: string[]): ClassDecorator {
  return (target) => Reflect.defineMetadata(ACCEPTED_AND_IGNORED, fields, target);
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
      stopAtFirstError: true,
      exceptionFactory: (errors) => asAppError(errors),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body' || metadata.metatype === undefined) return super.transform(value, metadata);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new AppError('malformed', 'the request body must be a JSON object');
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
  const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) => ({
    constraint,
    message:
      constraint === 'whitelistValidation'
        ? `unknown field ${path}`
        : parent === ''
          ? message
          : message.replace(error.property, path),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => describe(child, path))];
}
