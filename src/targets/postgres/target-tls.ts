import type { ConnectionOptions } from 'node:tls';

/** Use of TLS in one attempt: `offered` uses TLS if the server supports it. */
export type Way = 'plain' | 'offered' | 'tls';

export type PostgresSecret = Readonly<Record<string, string>>;

/**
 * Returns how to use TLS in the first attempt and in the second. Only modes that do not guarantee TLS have a
 * second attempt. Source: PostgreSQL documentation, libpq, "SSL Support", table of sslmode.
 */
export function waysOf(secret: PostgresSecret): readonly [Way, Way?] {
  switch (secret['SSLMODE'] || 'prefer') {
    case 'disable':
      return ['plain'];
    case 'allow':
      return ['plain', 'tls'];
    case 'prefer':
      return ['offered', 'plain'];
    default:
      return ['tls'];
  }
}

/** Returns the options for TLS. As in libpq, `require` verifies the chain if there is a root certificate. */
export function tlsOptions(secret: PostgresSecret): ConnectionOptions {
  const ca = secret['SSLROOTCERT'];
  const roots = ca ? { ca } : {};
  const anyName = { checkServerIdentity: () => undefined };
  switch (secret['SSLMODE'] || 'prefer') {
    case 'verify-full':
      return { ...roots, rejectUnauthorized: true };
    case 'verify-ca':
      return { ...roots, ...anyName, rejectUnauthorized: true };
    case 'require':
      return { ...roots, ...anyName, rejectUnauthorized: ca !== undefined && ca !== '' };
    default:
      return { rejectUnauthorized: false };
  }
}
