import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy, isISO8601, isUUID } from 'class-validator';
import { NAME_RULE, isName, normalizedName } from '../../../kernel/text/names';
import { isStorable } from './fields';

/**
 * Optional parameters of queries, each with its check and its documentation in one decorator. The values stay
 * texts: the code that uses the query converts them after the check.
 */

const MAX_TEXT = 256;

/**
 * Marks a query in which every bad value is a malformed request (400). In other queries, a value that breaks
 * a rule is refused with 422.
 */
export abstract class StrictQuery {}

/** One check of a parameter. */
export interface QueryRule {
  readonly name: string;
  readonly validate: (value: unknown) => boolean;
  /** Message for a refused value: the end of a sentence after "must". */
  readonly words: string | ((value: unknown) => string);
}

/** A parameter that may be left out. */
export function QueryField(documentation: ApiPropertyOptions, rule: QueryRule): PropertyDecorator {
  const { name, validate, words } = rule;
  return applyDecorators(
    ApiPropertyOptional(documentation),
    IsOptional(),
    ValidateBy({
      name,
      validator: {
        validate,
        defaultMessage: (given) =>
          `$property must ${typeof words === 'string' ? words : words(given?.value)}`,
      },
    }),
  );
}

/** An optional parameter whose value is one of a set of words. */
export function QueryChoice(
  choices: readonly string[],
  documentation: { description: string; default?: string },
): PropertyDecorator {
  return QueryField({ type: String, enum: [...choices], ...documentation }, choice(choices));
}

/** An optional parameter with one or more of a set of words: repeated, comma-separated, or both. */
export function QueryChoices(choices: readonly string[], description: string): PropertyDecorator {
  const { validate, ...rule } = choice(choices);
  return QueryField(
    { type: 'array', items: { type: 'string', enum: [...choices] }, description },
    { ...rule, validate: (value) => itemsOf(value).every((item) => validate(item)) },
  );
}

/** The items of a parameter that may be repeated, comma-separated, or both. Removes duplicates. */
export function itemsOf(value: unknown): unknown[] {
  const given: unknown[] = Array.isArray(value) ? value : [value];
  return [...new Set(given.flatMap((item) => (typeof item === 'string' ? item.split(',') : [item])))];
}

/** A text with a maximum length, in UTF-16 code units. */
export function QueryText(
  documentation: { description: string; example?: string },
  max = MAX_TEXT,
): PropertyDecorator {
  return QueryField({ type: String, maxLength: max, ...documentation }, text(max));
}

/** A whole number in decimal digits. */
export function QueryWholeNumber(
  min: number,
  max: number,
  documentation: { description: string; default: number },
): PropertyDecorator {
  return QueryField(
    { type: 'integer', minimum: min, maximum: max, ...documentation },
    {
      name: 'isWholeNumber',
      validate: (value) =>
        typeof value === 'string' && /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max,
      words: givenOnce(`be a whole number from ${min} to ${max}`),
    },
  );
}

/** A time with its zone (RFC 3339). Without a zone, its meaning would depend on the machine. */
export function QueryTime(description: string): PropertyDecorator {
  return QueryField(
    { type: String, format: 'date-time', description },
    { name: 'isTimeWithZone', validate: isTime, words: givenOnce('be a time such as 2026-01-31T08:00:00Z') },
  );
}

/** A name in its stored form, or an id if `orId` is true. */
export function QueryName(description: string, { orId = false } = {}): PropertyDecorator {
  const { validate, words } = text(MAX_TEXT);
  const isNameOrId = (value: string): boolean => isName(value) || (orId && isUUID(value));
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? normalizedNameOrId(value, orId) : value,
    ),
    QueryField(
      { type: String, maxLength: MAX_TEXT, description },
      {
        name: 'isName',
        validate: (value) => validate(value) && isNameOrId(value as string),
        words: (value) => (validate(value) ? NAME_RULE : words(value)),
      },
    ),
  );
}

function normalizedNameOrId(value: string, orId: boolean): string {
  return orId && isUUID(value) ? value.toLowerCase() : normalizedName(value);
}

function choice(choices: readonly string[]): QueryRule {
  const words = `be one of ${choices.join(', ')}`;
  return { name: 'isIn', validate: (value) => choices.includes(value as string), words };
}

function text(max: number) {
  return {
    name: 'isText',
    validate: (value: unknown) => typeof value === 'string' && value.length <= max && isStorable(value),
    words: givenOnce(`be a text of up to ${max} characters`),
  };
}

/** Returns another message for repeated parameters, because the message of the rule would not fit. */
function givenOnce(words: string): (value: unknown) => string {
  return (value) => (typeof value === 'string' ? words : 'be given once');
}

function isTime(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/.test(value) &&
    isISO8601(value.toUpperCase(), { strict: true }) &&
    !Number.isNaN(Date.parse(value))
  );
}
