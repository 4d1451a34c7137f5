import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { messageOf } from '../kernel/app-error';
import { type Environment, secretVariables, variables } from './variables';

/** As long as load balancers take to notice, which ask every second or two. */
const DELAY_IN_PRODUCTION = 5;

/** What only becomes known at the start: given by the environment, or by the development services. */
interface Resolved {
  API_URL: string;
  POSTGRES_PROXY_HOST: string;
  DATABASE_URL: string;
  IDP_ISSUER: string;
  IDP_CLIENT_ID: string;
  IDP_AUDIENCE: string;
  SECRET_KEY: Buffer[];
  SHUTDOWN_DELAY_SECONDS: number;
}

/** The whole configuration, complete and checked; the only thing that modules see of the environment. */
export abstract class Settings extends (Object as unknown as abstract new () => Omit<
  Environment,
  keyof Resolved
> &
  Resolved) {}

/** Says all that is wrong with the configuration at once, one line a fault. */
export class ConfigurationError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigurationError';
  }
}

/** Reads and checks the environment. An empty variable counts as absent. @throws ConfigurationError */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const faults: string[] = [];
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== '') given[name] = value;
  }
  for (const name of secretVariables) readSecretFile(name, given, faults);

  const parsed = variables.safeParse(given);
  for (const issue of parsed.error?.issues ?? [])
    faults.push(`${issue.path[0]?.toString()}: ${issue.message}`);
  faults.push(...missing(given), ...tlsFaults(given));
  if (!parsed.success || faults.length > 0) throw new ConfigurationError([...new Set(faults)]);
  return parsed.data;
}

/** Joins the environment with what the development services provided in place of what was absent. */
export function completeSettings(environment: Environment, provided: Partial<Settings> = {}): Settings {
  const merged = { ...environment, ...provided };
  const { DATABASE_URL, IDP_ISSUER, IDP_CLIENT_ID, SECRET_KEY } = merged;
  if (!DATABASE_URL || !IDP_ISSUER || !IDP_CLIENT_ID || !SECRET_KEY) {
    throw new ConfigurationError([
      'DATABASE_URL, IDP_ISSUER, IDP_CLIENT_ID and SECRET_KEY must all be known by now',
    ]);
  }
  const API_URL = apiUrl(merged);
  return {
    ...merged,
    API_URL,
    POSTGRES_PROXY_HOST: merged.POSTGRES_PROXY_HOST ?? hostOf(API_URL),
    IDP_AUDIENCE: merged.IDP_AUDIENCE ?? IDP_CLIENT_ID,
    DATABASE_URL,
    IDP_ISSUER,
    IDP_CLIENT_ID,
    SECRET_KEY,
    SHUTDOWN_DELAY_SECONDS:
      merged.SHUTDOWN_DELAY_SECONDS ?? (merged.NODE_ENV === 'production' ? DELAY_IN_PRODUCTION : 0),
  };
}

/** Where callers reach the gateway, unless `API_URL` says otherwise. */
export function apiUrl({ API_URL, HOST, PORT }: Pick<Environment, 'API_URL' | 'HOST' | 'PORT'>): string {
  return API_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}

/** As sockets take it: an IPv6 address without its brackets. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

function readSecretFile(name: string, given: Record<string, string>, faults: string[]): void {
  const file = given[`${name}_FILE`];
  if (file === undefined) return;
  if (given[name] !== undefined) {
    faults.push(`${name} and ${name}_FILE are both set; keep one`);
    return;
  }
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret === '') faults.push(`${name}_FILE: ${file} is empty`);
    else given[name] = secret;
  } catch (error) {
    faults.push(`${name}_FILE: ${messageOf(error)}`);
  }
}

function missing(given: Record<string, string>): string[] {
  const required =
    given['NODE_ENV'] === 'production' ? ['DATABASE_URL', 'IDP_ISSUER', 'IDP_CLIENT_ID', 'SECRET_KEY'] : [];
  if (given['IDP_ISSUER'] !== undefined) required.push('IDP_CLIENT_ID');
  return [...new Set(required)]
    .filter((name) => given[name] === undefined && given[`${name}_FILE`] === undefined)
    .map(
      (name) =>
        `${name}: missing${given['NODE_ENV'] === 'production' ? ' (required in production)' : ' (required with IDP_ISSUER)'}`,
    );
}

/** A certificate alone, a key alone, or two that do not belong together would only show when somebody connects. */
function tlsFaults({ TLS_CERT, TLS_KEY, ...given }: Record<string, string>): string[] {
  const isGiven = (name: string, value?: string): boolean =>
    value !== undefined || given[`${name}_FILE`] !== undefined;
  const hasKey = isGiven('TLS_KEY', TLS_KEY);
  if (isGiven('TLS_CERT', TLS_CERT) !== hasKey)
    return [
      hasKey ? 'TLS_CERT: missing (required with TLS_KEY)' : 'TLS_KEY: missing (required with TLS_CERT)',
    ];
  if (TLS_CERT === undefined || TLS_KEY === undefined) return [];
  try {
    createSecureContext({ cert: TLS_CERT, key: TLS_KEY });
    return [];
  } catch (error) {
    return [`TLS_CERT: cannot be used with TLS_KEY (${messageOf(error)})`];
  }
}
