import {
  type ArgumentMetadata,
  Injectable,
  Param,
  type PipeTransform,
  applyDecorators,
} from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, Length, ValidateBy } from 'class-validator';
import { AppError } from '../../../kernel/app-error';
import { NAME_RULE, isName, normalizedName } from '../../../kernel/text/names';

/**
 * Names in requests. Every field, path parameter and filter for a name uses this file, so that a name
 * has the same form wherever it is stored or searched. A test checks all bodies and queries.
 */

const MAX_NAME = 256;

/**
 * Normalizes a text, the texts of a list, or the keys and values of a map. Leaves other values as they are,
 * because other checks refuse them.
 */
function normalized(value: unknown): unknown {
  if (typeof value === 'string') return normalizedName(value);
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? names(value) : value;
  return value;
}

/** Normalizes the names, and then removes duplicates. */
function names(list: readonly string[]): string[] {
  return [...new Set(list.map(normalizedName))];
}

/** Normalizes a name, or each name of a list, and refuses names that break `NAME_RULE`. */
export function IsName(each = false): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => normalized(value)),
    ValidateBy(
      {
        name: 'isName',
        validator: {
          validate: (value) => typeof value !== 'string' || isName(value),
          defaultMessage: () => `${each ? 'each value in ' : ''}$property must ${NAME_RULE}`,
        },
      },
      { each },
    ),
  );
}

/**
 * A map whose keys and values are names. Keys that become equal when they are normalized are refused, because
 * one of their values would be lost.
 */
export function IsNameMap(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => normalizedMap(value)),
    ValidateBy({
      name: 'isNameMap',
      validator: {
        validate: (value) => !isMap(value) || Object.entries(value).flat().every(isNormalName),
        defaultMessage: () => `keys and values of $property must ${NAME_RULE}, and keys must differ`,
      },
    }),
  );
}

/** A search text for names, normalized like the stored names. */
export function IsPartOfName(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.normalize('NFC') : value,
  );
}

interface NameFieldOptions {
  readonly description: string;
  readonly example?: string;
  /** Maximum number of characters. An emoji counts as one or more. Default: 256. */
  readonly max?: number;
  /** Whether the field may be omitted. */
  readonly optional?: boolean;
  /** Whether null is documented as a value; only for optional names. */
  readonly nullable?: boolean;
  /** Whether the name may be empty. */
  readonly empty?: boolean;
}

/** A name, with its check and its documentation. */
export function NameField(options: NameFieldOptions): PropertyDecorator {
  const { description, example, max = MAX_NAME, optional = false, nullable = false, empty = false } = options;
  const min = empty ? 0 : 1;
  const documentation = {
    description,
    minLength: min,
    maxLength: max,
    ...(example === undefined ? {} : { example }),
    ...(nullable ? { type: String, nullable } : {}),
  };
  return applyDecorators(
    ...(optional ? [ApiPropertyOptional(documentation), IsOptional()] : [ApiProperty(documentation)]),
    IsString(),
    Length(min, max),
    IsName(),
  );
}

@Injectable()
class NamePipe implements PipeTransform<string, string> {
  transform(value: string, { data }: ArgumentMetadata): string {
    const name = normalizedName(value);
    if (!isName(name)) throw new AppError('malformed', `${data ?? 'name'} must ${NAME_RULE}`);
    return name;
  }
}

/** A path parameter that is a name, or an id on routes that accept ids too. */
export const NameParam = (name: string): ParameterDecorator => Param(name, NamePipe);

function normalizedMap(value: unknown): unknown {
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    normalizedName(key),
    normalized(item),
  ]);
  const map = Object.fromEntries(entries);
  return Object.keys(map).length === entries.length ? map : value;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNormalName(value: unknown): boolean {
  return typeof value !== 'string' || (normalizedName(value) === value && isName(value));
}
