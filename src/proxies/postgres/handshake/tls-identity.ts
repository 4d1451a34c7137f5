import { X509Certificate } from 'node:crypto';
import { type SecureContext, createSecureContext } from 'node:tls';
import type { PostgresProxySettings } from '../../../config/groups';
import { certificateHash } from './certificate-hash';

/** What the gateway shows of itself in TLS. */
export interface TlsIdentity {
  readonly context: SecureContext;
  /** For SCRAM-SHA-256-PLUS, `tls-server-end-point`; undefined where the certificate has none. */
  readonly endPoint: Buffer | undefined;
}

/** undefined: no certificate is configured. Both were tried together when the settings were read. */
export function tlsIdentity({ tlsCert, tlsKey }: PostgresProxySettings): TlsIdentity | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  return {
    context: createSecureContext({ cert: tlsCert, key: tlsKey, minVersion: 'TLSv1.2' }),
    // Of a chain, the first is the server's own.
    endPoint: certificateHash(new X509Certificate(tlsCert).raw),
  };
}
