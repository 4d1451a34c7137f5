import type { Kind } from '../api/choices';

/** Describes the input field of one secret value. */
export type SecretField = Kind['secret_fields'][number];

/**
 * Returns the secret fields to show: the fields of the kind that have an effect, and all stored fields.
 * @param chosen known values of the fields on which other fields depend
 * @param names names of fields that are stored or typed
 */
export function secretFields(
  { secret_fields: all }: Pick<Kind, 'secret_fields'>,
  chosen: Readonly<Record<string, string>>,
  names: readonly string[],
): readonly SecretField[] {
  const wanted = all.filter(
    ({ only_with: condition }) =>
      condition == null || condition.values.includes(chosen[condition.field] ?? ''),
  );
  const others = names
    .filter((name) => !wanted.some((field) => field.name === name))
    .map((name) => all.find((field) => field.name === name) ?? otherField(name));
  return [...wanted, ...others];
}

/** Describes a stored field that the kind does not define. Its input is hidden, as it may be sensitive. */
function otherField(name: string): SecretField {
  return {
    name,
    label: '',
    description: '',
    required: false,
    confidential: true,
    multiline: false,
    placeholder: null,
    choices: [],
    only_with: null,
  };
}

/** Returns the names of the fields on which other fields depend. */
export function deciding({ secret_fields: fields }: Pick<Kind, 'secret_fields'>): readonly string[] {
  return [...new Set(fields.flatMap(({ only_with: condition }) => condition?.field ?? []))];
}

/** Returns the secret field name for an HTTP header: `_` replaces `-`. */
export function headerName(prefix: string, header: string): string {
  return `${prefix}${header.trim().replaceAll('-', '_')}`;
}
