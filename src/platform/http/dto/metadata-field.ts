import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsOptional, ValidateBy } from 'class-validator';
import { isStorable } from './fields';

/** Maximum number of keys in the metadata of a session. */
export const METADATA_KEYS = 20;
const METADATA_CHARACTERS = 2_500;

/** The limits of metadata, as the end of a message that begins with "must have". */
export const METADATA_RULE = `at most ${METADATA_KEYS} keys of up to ${METADATA_CHARACTERS} characters`;

/**
 * Whether a value may be the metadata of a session. The limit of characters applies to each key, to each text
 * value, and to the JSON of each other value.
 */
export function isMetadata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= METADATA_KEYS &&
    entries.every(([key, item]) => {
      const text = typeof item === 'string' ? item : JSON.stringify(item);
      return Math.max(key.length, text.length) <= METADATA_CHARACTERS && isStorableJson({ [key]: item });
    })
  );
}

function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorableJson(item));
}

/** Optional metadata of a session. Default: empty. */
export function MetadataField(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: true,
      maxProperties: METADATA_KEYS,
      description: `At most ${METADATA_KEYS} keys, values of up to ${METADATA_CHARACTERS} characters.`,
    }),
    IsOptional(),
    IsObject(),
    ValidateBy({
      name: 'boundedMetadata',
      validator: {
        validate: isMetadata,
        defaultMessage: () => `$property must have ${METADATA_RULE}`,
      },
    }),
  );
}
