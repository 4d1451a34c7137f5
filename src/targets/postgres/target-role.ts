import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import type { StartUpParameter } from './start-up-packet';
import type { PostgresSecret } from './target-tls';

/** Name in an opened secret: the role as which the session of one person acts. Nobody can store it. */
const SESSION_ROLE = 'SESSION_ROLE';
/** PostgreSQL cuts longer names (NAMEDATALEN). Bytes. */
const LONGEST = 63;
/** SET ROLE takes it for the account itself. */
const NO_ROLE = 'none';
const PLACEHOLDER = /\{(subject|group:[^{}]+)\}/g;

/** The fault of a template; undefined where it has none. */
export function roleTemplateFault(template: string): string | undefined {
  if (template === NO_ROLE) return 'must be a role';
  const placeholders = template.match(PLACEHOLDER) ?? [];
  if (placeholders.length > 1) return 'must have one placeholder at most';
  return /[{}]/.test(template.replaceAll(PLACEHOLDER, ''))
    ? 'has no placeholders but {subject} and {group:PREFIX}'
    : undefined;
}

/**
 * The secret with which a person's session signs in, and the role as which it acts; undefined where the
 * connection names no role. The e-mail is no placeholder, because a person may be able to change it.
 * @throws AppError `forbidden` where the template gives no role for this person
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
 * The parameters of a start-up message, with the role of the session. As a parameter of the start it is what
 * RESET ROLE goes back to. Source: PostgreSQL documentation, SET ROLE.
 */
export function withRole(
  secret: PostgresSecret,
  parameters: readonly StartUpParameter[],
): readonly StartUpParameter[] {
  const role = secret[SESSION_ROLE];
  if (role === undefined) return parameters;
  return [...parameters.filter(([name]) => name.toLowerCase() !== 'role'), ['role', role]];
}

/** The secret of the account itself: it may do what a role may not, such as ending its own sessions. */
export function asAccount(secret: PostgresSecret): PostgresSecret {
  return Object.fromEntries(Object.entries(secret).filter(([name]) => name !== SESSION_ROLE));
}
