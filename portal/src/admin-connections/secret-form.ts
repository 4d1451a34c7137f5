import type { Subtype } from './connection';

/** Describes the input field of one secret value. */
export interface SecretField {
  readonly name: string;
  readonly form: 'line' | 'hidden' | 'long' | 'choice';
  readonly choices?: readonly string[];
  readonly isRequired?: true;
}

const POSTGRES: readonly SecretField[] = [
  { name: 'HOST', form: 'line', isRequired: true },
  { name: 'PORT', form: 'line' },
  { name: 'USER', form: 'line', isRequired: true },
  { name: 'PASS', form: 'hidden' },
  { name: 'DB', form: 'line', isRequired: true },
  { name: 'SSLMODE', form: 'choice', choices: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] },
  { name: 'SSLROOTCERT', form: 'long' },
  { name: 'ROLE', form: 'line' },
];

const MCP: readonly SecretField[] = [
  { name: 'REMOTE_URL', form: 'line', isRequired: true },
  { name: 'MCP_TRANSPORT', form: 'choice', choices: ['streamable-http', 'sse'] },
  { name: 'MCP_AUTH', form: 'choice', choices: ['none', 'static', 'oauth', 'exchange'] },
];

const CLIENT: readonly SecretField[] = [
  { name: 'MCP_CLIENT_ID', form: 'line' },
  { name: 'MCP_CLIENT_SECRET', form: 'hidden' },
  { name: 'MCP_OAUTH_SUBJECT', form: 'choice', choices: ['user', 'shared'] },
  { name: 'MCP_SCOPE', form: 'line' },
];
const OAUTH: readonly SecretField[] = [
  { name: 'MCP_ISSUER', form: 'line' },
  ...CLIENT,
  { name: 'MCP_OAUTH_GRANT', form: 'choice', choices: ['authorization_code', 'client_credentials'] },
];
const EXCHANGE: readonly SecretField[] = [
  { name: 'MCP_TOKEN_URL', form: 'line' },
  ...CLIENT,
  { name: 'MCP_AUDIENCE', form: 'line' },
  { name: 'MCP_RESOURCE', form: 'line' },
];
const HEADER = 'HEADER_';

/**
 * The fields of a secret: those that the kind of connection has, those that
 * `MCP_AUTH` needs, and those that are stored.
 * @param names stored or typed already
 */
export function secretFields(
  subtype: Subtype,
  auth: string,
  names: readonly string[],
): readonly SecretField[] {
  const wanted = subtype === 'postgres' ? POSTGRES : [...MCP, ...(AUTH[auth] ?? [])];
  const all = [...POSTGRES, ...MCP, ...OAUTH, ...EXCHANGE];
  const others = names
    .filter((name) => !wanted.some((field) => field.name === name))
    .map((name): SecretField => all.find((field) => field.name === name) ?? { name, form: 'hidden' });
  return [...wanted, ...others];
}

const AUTH: Readonly<Record<string, readonly SecretField[]>> = { oauth: OAUTH, exchange: EXCHANGE };

/** Name in the secret of an HTTP header: `_` stands for `-`. */
export function headerName(header: string): string {
  return `${HEADER}${header.trim().replaceAll('-', '_')}`;
}
