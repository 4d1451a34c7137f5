import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import type { StartUpParameter } from './start-up-packet';
import type { PostgresSecret } from './target-tls';

/** Key in an opened secret. Its value is the role of one person's session. No stored secret has this key. */
const SESSION_ROLE = 'SESSION_ROLE';
/** Maximum length of a role in bytes, because PostgreSQL truncates longer names (NAMEDATALEN). */
const LONGEST = 63;
/** Not the name of a role: `SET ROLE none` returns to the account itself. */
const NO_ROLE = 'none';
const PLACEHOLDER = /\{(subject|group:[^{}]+)\}/g;

/** Returns the fault of a template for role names; undefined if it has none. */
export function roleTemplateFault(template: string): string | undefined {
  if (template === NO_ROLE) return 'must be a role';
  const placeholders = template.match(PLACEHOLDER) ?? [];
  if (placeholders.length > 1) return 'must have one placeholder at most';
  return /[{}]/.test(template.replaceAll(PLACEHOLDER, ''))
    ? 'has no placeholders but {subject} and {group:PREFIX}'
    : undefined;
}

/**
 * Returns the secret with which a person's session signs in, and the role with which it acts; undefined if
 * the connection names no role. The e-mail address is no placeholder, because a person may be able to change
 * it.
 * @throws AppError `forbidden` if the template gives no role for this person
 */
export function asPerson(
  secret: PostgresSecret,
  who: Pick<Principal, 'subject' | 'groups'>,
): { readonly role: string; readonly secret: PostgresSecret } | undefined {
  const { ROLE: template, ...rest } = secret;
  if (template === undefined) return undefined;
  const role = template.replaceAll(PLACEHOLDER, (_, placeholder: string) => valueOf(placeholder, who));
  if (role === NO_ROLE) throw refused(`${NO_ROLE} is the name of no role`);
  if (Buffer.byteLength(role) > LONGEST) throw refused(`the role ${role} is longer than ${LONGEST} bytes`);
  return { role, secret: { ...rest, [SESSION_ROLE]: role } };
}

function valueOf(placeholder: string, { subject, groups }: Pick<Principal, 'subject' | 'groups'>): string {
  if (placeholder === 'subject') return subject;
  const prefix = placeholder.slice('group:'.length);
  const [group, ...others] = groups.filter((name) => name.startsWith(prefix) && name !== prefix);
  if (group === undefined) throw refused(`none of your groups begins with ${prefix}`);
  if (others.length > 0) throw refused(`several of your groups begin with ${prefix}`);
  return group.slice(prefix.length);
}

function refused(why: string): AppError {
  return new AppError('forbidden', `this connection acts as a role of each person, and ${why}`);
}

/**
 * Returns the parameters of a start-up message, with the role of the session. RESET ROLE returns to a role
 * that was set in the start-up message. Source: PostgreSQL documentation, SET ROLE.
 */
export function withRole(
  secret: PostgresSecret,
  parameters: readonly StartUpParameter[],
): readonly StartUpParameter[] {
  const role = secret[SESSION_ROLE];
  if (role === undefined) return parameters;
  return [...parameters.filter(([name]) => name.toLowerCase() !== 'role'), ['role', role]];
}

/** Returns the secret without the role, because the account may do more, such as end its own sessions. */
export function asAccount(secret: PostgresSecret): PostgresSecret {
  return Object.fromEntries(Object.entries(secret).filter(([name]) => name !== SESSION_ROLE));
}
