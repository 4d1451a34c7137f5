/** The fields that the secret of a kind of target may have. */
export interface SecretSchema {
  readonly fields: Readonly<Record<string, SecretField>>;
  /** Any name with this prefix is allowed (the headers of an MCP server). */
  readonly freePrefix?: string;
  /**
   * Faults of how the fields go together, in plain words, without a value.
   * Asked when each of them is right by itself.
   */
  readonly check?: (secret: Readonly<Record<string, string>>) => string[];
}

export interface SecretField {
  readonly required?: true;
  /** Returns the fault of a value, or undefined. */
  readonly check?: (value: string) => string | undefined;
}

export const oneOf =
  (...values: string[]) =>
  (value: string) =>
    values.includes(value) ? undefined : `must be one of ${values.join(', ')}`;

export function portNumber(value: string): string | undefined {
  return /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535
    ? undefined
    : 'must be a port number';
}

export function webAddress(value: string): string | undefined {
  const isWeb = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return isWeb ? undefined : 'must be an http or https address';
}

/**
 * All faults of a secret in plain words; never one of its values.
 * @param kind the kind of the target, as `type/subtype`.
 */
export function secretFaults(
  { fields, freePrefix, check }: SecretSchema,
  kind: string,
  secret: Readonly<Record<string, string>>,
): string[] {
  const known = Object.entries(fields).flatMap(([name, field]) => {
    const value = secret[name];
    if (value === undefined || value === '') return field.required ? [`secret.${name} is required`] : [];
    const fault = field.check?.(value);
    return fault === undefined ? [] : [`secret.${name} ${fault}`];
  });
  const unknown = Object.keys(secret)
    .filter(
      (name) => !Object.hasOwn(fields, name) && !(freePrefix !== undefined && name.startsWith(freePrefix)),
    )
    .map((name) => `secret.${name} is not known for ${kind}`);
  const faults = [...known, ...unknown];
  return faults.length > 0 ? faults : (check?.(secret) ?? []);
}
