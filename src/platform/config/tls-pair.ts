import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** A certificate with its chain, and its private key: PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** The oldest version of TLS that the gateway speaks, on every port. */
export const OLDEST_TLS = 'TLSv1.2';

/**
 * Returns the reason why a server cannot use the pair; undefined if it can. The reason contains no key
 * material.
 */
export function tlsPairFault({ cert, key }: TlsPair): string | undefined {
  const certificate = attempt(() => new X509Certificate(cert));
  if (certificate === undefined) return 'TLS_CERT is no certificate in PEM';
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(key))
    return 'TLS_KEY is protected by a passphrase; give it without one';
  const privateKey = attempt(() => createPrivateKey(key));
  if (privateKey === undefined) return 'TLS_KEY is no private key in PEM';
  if (!certificate.checkPrivateKey(privateKey)) return 'TLS_KEY is the key of another certificate';
  try {
    createSecureContext({ cert, key, minVersion: OLDEST_TLS });
    return undefined;
  } catch (error) {
    // For example, the key is too short, or another certificate of the chain is broken. OpenSSL does not name
    // the fault in plain words.
    return `TLS does not take them: ${(error as { code?: string }).code ?? 'unknown fault'}`;
  }
}

/** Time at which the certificate expires, in milliseconds since 1970. */
export function certificateEnd({ cert }: Pick<TlsPair, 'cert'>): number {
  return Date.parse(new X509Certificate(cert).validTo);
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
