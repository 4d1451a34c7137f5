import type { ConnectionOptions } from 'node:tls';

/** How one attempt goes: `offered` takes TLS if the server has it and goes on without if not. */
export type Way = 'plain' | 'offered' | 'tls';

export type PostgresSecret = Readonly<Record<string, string>>;

/**
 * What is tried, one after the other, as libpq does it. Only the modes without a promise have a second way.
 * Source: PostgreSQL documentation, libpq, "SSL Support", table of sslmode.
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

/** `require` with a root certificate checks the chain, as libpq does: who gives one wants it looked at. */
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
