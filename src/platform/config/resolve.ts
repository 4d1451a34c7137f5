import { join } from 'node:path';
import { ConfigurationError } from './environment';
import type { Environment } from './variables';

/** Default shutdown delay in seconds. It is long enough for load balancers that check every 1 to 2 s. */
const DELAY_IN_PRODUCTION = 5;

/**
 * Values that are complete only when the gateway starts. They are set by the environment, provided by the
 * development services, or derived.
 */
interface Resolved {
  API_URL: string;
  POSTGRES_PROXY_HOST: string;
  SSH_PROXY_HOST: string;
  DATABASE_URL: string;
  IDP_ISSUER: string;
  IDP_CLIENT_ID: string;
  IDP_AUDIENCE: string;
  SECRET_KEY: Buffer[];
  JOURNAL_DIR: string;
  SHUTDOWN_DELAY_SECONDS: number;
}

/** The environment after all values of `Resolved` are known. */
export type ResolvedEnvironment = Omit<Environment, keyof Resolved> & Resolved;

/**
 * Fills in the values that the environment does not set.
 * @param provided Values from the development services, for variables that are absent.
 * @throws ConfigurationError
 */
export function resolveEnvironment(
  environment: Environment,
  provided: Partial<ResolvedEnvironment>,
): ResolvedEnvironment {
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
    SSH_PROXY_HOST: merged.SSH_PROXY_HOST ?? hostOf(API_URL),
    IDP_AUDIENCE: merged.IDP_AUDIENCE ?? IDP_CLIENT_ID,
    DATABASE_URL,
    IDP_ISSUER,
    IDP_CLIENT_ID,
    SECRET_KEY,
    JOURNAL_DIR: merged.JOURNAL_DIR ?? join(merged.DATA_DIR, 'journal'),
    SHUTDOWN_DELAY_SECONDS:
      merged.SHUTDOWN_DELAY_SECONDS ?? (merged.NODE_ENV === 'production' ? DELAY_IN_PRODUCTION : 0),
  };
}

/** Address at which callers reach the gateway: `API_URL`, or an address made of `HOST` and `PORT`. */
export function apiUrl({
  API_URL,
  HOST,
  PORT,
  TLS_CERT,
  TLS_PORTS,
}: Pick<Environment, 'API_URL' | 'HOST' | 'PORT' | 'TLS_CERT' | 'TLS_PORTS'>): string {
  const scheme = TLS_CERT !== undefined && TLS_PORTS.includes('rest') ? 'https' : 'http';
  return API_URL ?? `${scheme}://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}

/** Host in the form for sockets: an IPv6 address without its brackets. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}
