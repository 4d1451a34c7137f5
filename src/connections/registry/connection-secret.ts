import { AppError } from '../../kernel/app-error';
import type { Connection } from './connection.entity';
import { targetKind } from '../../targets/kinds';
import { secretFaults } from '../../targets/contract/secret-schema';

type Secret = Readonly<Record<string, string>>;

/** Additional authenticated data for the seal, so that a secret copied into another row cannot be opened. */
export function secretContext({ orgId, id }: Pick<Connection, 'orgId' | 'id'>): string {
  return `connection:${orgId}:${id}`;
}

const ENVVAR = 'envvar:';

/**
 * Returns the secret of a body in plain text. A name `envvar:NAME` has a base64 value, as clients of the
 * reference system send it; a name without this prefix has a value in plain text. An empty value keeps the
 * stored value of that name, so that a client may send back what it read.
 */
export function givenSecret(
  given: Readonly<Record<string, unknown>>,
  stored: Secret,
): Record<string, string> {
  const secret: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw new AppError('malformed', `secret.${key} must be a string`);
    const isEncoded = key.startsWith(ENVVAR);
    const name = isEncoded ? key.slice(ENVVAR.length) : key;
    const plain = isEncoded ? decoded(value) : value;
    if (plain === undefined) {
      throw new AppError('unprocessable', `secret.${key} must be the base64 of a UTF-8 text`);
    }
    if (plain.includes('\0'))
      throw new AppError('unprocessable', `secret.${key} must not contain NUL characters`);
    if (Object.hasOwn(secret, name)) throw new AppError('unprocessable', `secret.${name} is given twice`);
    const kept = plain === '' && Object.hasOwn(stored, name) ? stored[name] : plain;
    if (kept) secret[name] = kept;
  }
  return secret;
}

/**
 * The secret of a PUT, which must be complete; empty values keep the stored ones.
 * @param stored undefined if the stored secret cannot be opened. Then none of its values can be kept.
 * @throws AppError `unprocessable`
 */
export function replacedSecret(
  given: Readonly<Record<string, unknown>>,
  stored: Secret | undefined,
  storedNames: readonly string[],
): Record<string, string> {
  if (stored !== undefined) return givenSecret(given, stored);
  const secret = givenSecret(given, {});
  const names = Object.keys(given).map((key) => (key.startsWith(ENVVAR) ? key.slice(ENVVAR.length) : key));
  requireGiven(
    secret,
    storedNames.filter((name) => names.includes(name)),
  );
  return secret;
}

/**
 * The secret after a PATCH; omitted values are kept.
 * @param stored undefined if the stored secret cannot be opened. Then all its values must be given.
 * @throws AppError `unprocessable`
 */
export function changedSecret(
  given: Readonly<Record<string, unknown>>,
  stored: Secret | undefined,
  storedNames: readonly string[],
): Record<string, string> {
  if (stored !== undefined) return { ...stored, ...givenSecret(given, stored) };
  const secret = givenSecret(given, {});
  requireGiven(secret, storedNames);
  return secret;
}

function requireGiven(secret: Secret, names: readonly string[]): void {
  const missing = names.filter((name) => !Object.hasOwn(secret, name)).map((name) => `secret.${name}`);
  if (missing.length === 0) return;
  throw new AppError(
    'unprocessable',
    `no key in SECRET_KEY opens the stored secret, so its values cannot be kept; send ${missing.join(', ')} too`,
  );
}

/** Decodes base64 strictly. Otherwise plain text that is sent by mistake would fail only at the target. */
function decoded(base64: string): string | undefined {
  const text = Buffer.from(base64, 'base64').toString();
  const unpadded = (encoded: string): string => encoded.replaceAll(/[\s=]/g, '');
  return unpadded(Buffer.from(text).toString('base64')) === unpadded(base64) ? text : undefined;
}

/** @throws AppError `unprocessable` that lists every missing, wrong or unknown field; never a value. */
export async function requireComplete(type: string, subtype: string, secret: Secret): Promise<void> {
  const kind = targetKind(subtype);
  if (kind?.type !== type) throw new AppError('unprocessable', `type ${type} has no subtype ${subtype}`);
  const faults = await secretFaults(kind.secret, `${type}/${subtype}`, secret);
  if (faults.length > 0) throw new AppError('unprocessable', faults.join('; '));
}

/** Thrown to leave a transaction in which a secret would be checked. */
export class UncheckedSecret extends Error {
  constructor(
    private readonly kind: Pick<Connection, 'type' | 'subtype'>,
    readonly secret: Record<string, string>,
  ) {
    super('the secret is not checked');
  }

  /** @throws as `requireComplete` */
  check(): Promise<void> {
    return requireComplete(this.kind.type, this.kind.subtype, this.secret);
  }
}

/**
 * Makes a change whose new secret is checked outside its transaction, because a check may take seconds (the
 * passphrase of a private key), in which the transaction would hold its locks. If the stored secret changes
 * meanwhile, the new combination is checked again.
 * @param attempt gets the checked secret, and throws UncheckedSecret for another one
 */
export async function withCheckedSecret<T>(
  attempt: (checked: Record<string, string> | undefined) => Promise<T>,
): Promise<T> {
  let checked: Record<string, string> | undefined;
  for (;;)
    try {
      return await attempt(checked);
    } catch (error) {
      if (!(error instanceof UncheckedSecret)) throw error;
      await error.check();
      checked = error.secret;
    }
}

/** @param stored undefined if there is none, or if it cannot be opened. */
export function isSame(secret: Record<string, string>, stored: Record<string, string> | undefined): boolean {
  return stored !== undefined && JSON.stringify(sorted(secret)) === JSON.stringify(sorted(stored));
}

function sorted(secret: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(secret).sort(([a], [b]) => (a < b ? -1 : 1));
}
