import type { MaybePromise } from '../../kernel/async/maybe-promise';

/** The fields that the secret of a kind of target may have, in the order in which a form shows them. */
export interface SecretSchema {
  readonly fields: Readonly<Record<string, SecretField>>;
  /** Prefix of further allowed names (headers of an MCP server). Their values are confidential. */
  readonly freePrefix?: string;
  /**
   * Returns faults in the combination of fields, in plain words, without any value. Called only if each field
   * is valid by itself.
   */
  readonly check?: (secret: Readonly<Record<string, string>>) => MaybePromise<string[]>;
}

export interface SecretField {
  /** Name of the value for people, in a few words. */
  readonly label: string;
  /** Default, form and effect of the value, in whole sentences. */
  readonly description?: string;
  readonly required?: true;
  /** Whether the value itself gives access, so that a form hides it. */
  readonly isConfidential?: true;
  /** Whether values have several lines, such as PEM. */
  readonly isMultiline?: true;
  /** An example that a form shows in the empty field. */
  readonly placeholder?: string;
  /** The allowed values. If absent, each value that passes `check` is allowed. */
  readonly choices?: readonly string[];
  /**
   * Condition for the effect of this field: `field`, which has `choices`, has one of these values. The empty
   * text stands for a field that is not set.
   */
  readonly onlyWith?: { readonly field: string; readonly values: readonly string[] };
  /** Returns the fault of a value, or undefined. */
  readonly check?: (value: string) => string | undefined;
}

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
 * Returns the faults of a secret in plain words, which contain none of its values.
 * @param kind the kind of the target, as `type/subtype`.
 */
export async function secretFaults(
  { fields, freePrefix, check }: SecretSchema,
  kind: string,
  secret: Readonly<Record<string, string>>,
): Promise<string[]> {
  const known = Object.entries(fields).flatMap(([name, field]) => {
    const value = secret[name];
    if (value === undefined || value === '') return field.required ? [`secret.${name} is required`] : [];
    const fault = choiceFault(field, value) ?? field.check?.(value);
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

function choiceFault({ choices }: SecretField, value: string): string | undefined {
  return choices === undefined || choices.includes(value)
    ? undefined
    : `must be one of ${choices.join(', ')}`;
}
