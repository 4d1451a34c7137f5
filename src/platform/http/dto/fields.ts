import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  MaxLength,
  MinLength,
  ValidateBy,
  buildMessage,
  isISO8601,
} from 'class-validator';
import { RESOURCE_NAME, RESOURCE_NAME_MAX, RESOURCE_NAME_MIN, RESOURCE_NAME_RULE } from './resource-name';
import { REASON_RULE, isReason, normalizedReason } from '../../../kernel/text/names';
import { IsName, IsNameMap } from './name-fields';

/**
 * Fields that many bodies have, each with its check and its documentation in one decorator. Defaults are
 * described in words, because generators conclude from the keyword `default` that a field is required.
 */

const MAX_LIST = 1_000;
const MAX_ITEM = 256;
const MAX_DESCRIPTION = 4_096;
/** Maximum length of a reason for access, in UTF-16 code units. */
export const MAX_ACCESS_REASON = 1_000;

/** Whether PostgreSQL can store the text, also in JSON: it must not contain NUL or lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The name of the check `HasNoNul`. */
export const HAS_NO_NUL = 'hasNoNul';

/** A text that PostgreSQL can store. */
export function HasNoNul(each = false): PropertyDecorator {
  return ValidateBy(
    {
      name: HAS_NO_NUL,
      validator: {
        validate: (value) => typeof value !== 'string' || isStorable(value),
        defaultMessage: buildMessage(
          (prefix) => `${prefix}$property must not contain NUL characters or lone surrogates`,
          { each },
        ),
      },
    },
    { each },
  );
}

/**
 * A text of up to `max` UTF-16 code units. Does not use `MaxLength`, which counts each surrogate pair as one
 * and builds a list of all pairs for this. For megabytes of text, that blocks the event loop.
 */
export function MaxTextLength(max: number): PropertyDecorator {
  return ValidateBy({
    name: 'maxTextLength',
    validator: {
      validate: (value) => typeof value !== 'string' || value.length <= max,
      defaultMessage: () => `$property must be shorter than or equal to ${max} characters`,
    },
  });
}

/** An ISO 8601 time that JavaScript can parse, which excludes week dates and the basic format. */
export function IsTime(): PropertyDecorator {
  return ValidateBy({
    name: 'isTime',
    validator: {
      validate: (value) => isISO8601(value, { strict: true }) && !Number.isNaN(Date.parse(value as string)),
      defaultMessage: () => '$property must be a time such as 2026-01-31T08:00:00Z',
    },
  });
}

export function ResourceNameField(description: string, example: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      description,
      example,
      minLength: RESOURCE_NAME_MIN,
      maxLength: RESOURCE_NAME_MAX,
      pattern: RESOURCE_NAME.source,
    }),
    IsString(),
    Length(RESOURCE_NAME_MIN, RESOURCE_NAME_MAX),
    IsName(),
    Matches(RESOURCE_NAME, { message: `$property ${RESOURCE_NAME_RULE}` }),
  );
}

export function DescriptionField(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: 'Free text. Default: empty.',
      maxLength: MAX_DESCRIPTION,
      example: 'Kept by the data team.',
    }),
    IsOptional(),
    IsString(),
    MaxLength(MAX_DESCRIPTION),
    HasNoNul(),
  );
}

interface ReasonFieldOptions {
  readonly description: string;
  readonly example?: string;
  /** Maximum length, in UTF-16 code units. */
  readonly max: number;
  /** Whether a reason must be given and not blank. By default, absent, null and blank mean no reason. */
  readonly required?: boolean;
}

/**
 * The reason of a person who requests, decides or sets a legal hold. Other people read the reason, and some
 * decide by it, so it must not contain control, invisible or bidirectional characters. A test checks all
 * bodies.
 */
export function ReasonField({
  description,
  example,
  max,
  required = false,
}: ReasonFieldOptions): PropertyDecorator {
  const documentation = { description, maxLength: max, ...(example === undefined ? {} : { example }) };
  const normalized = (value: unknown): unknown =>
    typeof value === 'string' ? normalizedReason(value) || (required ? '' : null) : value;
  return applyDecorators(
    ...(required
      ? [ApiProperty({ ...documentation, minLength: 1 })]
      : [ApiPropertyOptional({ ...documentation, type: String, nullable: true }), IsOptional()]),
    Transform(({ value }: { value: unknown }) => normalized(value)),
    IsString(),
    ...(required ? [MinLength(1, { message: '$property must not be blank' })] : []),
    MaxLength(max),
    ValidateBy({
      name: 'isReason',
      validator: {
        validate: (value) => typeof value !== 'string' || isReason(value),
        defaultMessage: () => `$property must ${REASON_RULE}`,
      },
    }),
  );
}

/** The reason for access, for reviewers and for the records. Default: none. */
export function AccessReasonField(): PropertyDecorator {
  return ReasonField({
    max: MAX_ACCESS_REASON,
    description: 'Reason for the access; shown to reviewers, in events and in the audit log. Default: none.',
    example: 'OPS-12: refund of order 4711',
  });
}

/** An optional list of names: groups, attributes, connection names. Default: empty. */
export function NamesField(description: string, example: string[]): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: MAX_ITEM },
      maxItems: MAX_LIST,
      description: `${description} Default: none.`,
      example,
    }),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_LIST),
    IsString({ each: true }),
    Length(1, MAX_ITEM, { each: true }),
    IsName(true),
  );
}

/** An optional list of ids. Default: empty. */
export function IdsField(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      maxItems: MAX_LIST,
      description: `${description} Default: none.`,
    }),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_LIST),
    IsUUID('all', { each: true }),
  );
}

/** An optional map of strings with limits. Default: empty. */
export function StringMapField(
  description: string,
  bounds: { entries: number; key: number; value: number; areNames?: boolean },
  example: Record<string, string>,
): PropertyDecorator {
  const { entries, key, value, areNames = false } = bounds;
  const rule = `at most ${entries} strings, keys of up to ${key} and values of up to ${value} characters`;
  return applyDecorators(
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: value },
      maxProperties: entries,
      description: `${description} ${rule[0]?.toUpperCase()}${rule.slice(1)}.`,
      example,
    }),
    IsOptional(),
    IsObject(),
    ValidateBy({
      name: 'boundedStringMap',
      validator: {
        validate: (map) =>
          typeof map === 'object' &&
          map !== null &&
          Object.keys(map).length <= entries &&
          Object.entries(map).every(
            ([k, v]) =>
              k.length <= key && typeof v === 'string' && v.length <= value && isStorable(k) && isStorable(v),
          ),
        defaultMessage: () => `$property must be ${rule}`,
      },
    }),
    ...(areNames ? [IsNameMap()] : []),
  );
}
