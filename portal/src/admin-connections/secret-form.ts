import type { Kind } from '../api/choices';

/** Describes the input field of one secret value. */
export type SecretField = Kind['secret_fields'][number];

/**
 * The fields of a secret: those that the kind of connection has, without those that have no effect, and those
 * that are stored.
 * @param chosen values of the fields on which others depend, as far as they are known
 * @param names stored or typed already
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

/** The content is not known, so it is hidden. */
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

/** Names of the fields on which others depend. */
export function deciding({ secret_fields: fields }: Pick<Kind, 'secret_fields'>): readonly string[] {
  return [...new Set(fields.flatMap(({ only_with: condition }) => condition?.field ?? []))];
}

/** Name in the secret of an HTTP header: `_` stands for `-`. */
export function headerName(prefix: string, header: string): string {
  return `${prefix}${header.trim().replaceAll('-', '_')}`;
}
