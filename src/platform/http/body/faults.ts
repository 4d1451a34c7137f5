import type { ValidationError } from 'class-validator';
import { quotedName, faultSentence } from '../dto/fault-message';
import { AppError } from '../../../kernel/app-error';

/**
 * Names of checks whose failure means a malformed request (400). A failure of any other check means that the
 * resource breaks a rule (422).
 */
const malformed = new Set([
  'isArray',
  'isBoolean',
  'isEnum',
  'isInt',
  'isNull',
  'isNumber',
  'isObject',
  'isString',
  'isUuid',
  'nestedValidation',
  'unknownValue',
  'whitelistValidation',
]);

export interface Fault {
  readonly constraint: string;
  readonly message: string;
}

export function bodyRefusal(faults: readonly Fault[], total: number = faults.length): AppError {
  const isMalformed = faults.some((fault) => malformed.has(fault.constraint));
  const messages = [...new Set(faults.map((fault) => fault.message))];
  return new AppError(
    isMalformed ? 'malformed' : 'unprocessable',
    faultSentence(messages, Math.max(total, messages.length)),
  );
}

/** The faults of one field and of nested fields. */
export function validationFaults(error: ValidationError, parent: string): Fault[] {
  const path = parent === '' ? quotedName(error.property) : `${parent}.${quotedName(error.property)}`;
  const broken = Object.entries(error.constraints ?? {});
  // One fault per field. A wrong type comes first, because it makes other checks fail too.
  const first = broken.find(([constraint]) => malformed.has(constraint)) ?? broken[0];
  const own = (first === undefined ? [] : [first]).map(([constraint, message]) => ({
    constraint,
    message: inPlainWords(constraint, message, error.property, path),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => validationFaults(child, path))];
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
