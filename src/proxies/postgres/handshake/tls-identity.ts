import { X509Certificate } from 'node:crypto';
import { type SecureContext, createSecureContext } from 'node:tls';
import type { PostgresProxySettings } from '../../../config/groups';
import { certificateHash } from './certificate-hash';

/** The gateway's TLS certificate. */
export interface TlsIdentity {
  readonly context: SecureContext;
  /** `tls-server-end-point` for SCRAM-SHA-256-PLUS; undefined where none is defined for the certificate. */
  readonly endPoint: Buffer | undefined;
}

/** undefined when no certificate is configured. Loading the settings has already checked that key and certificate match. */
export function tlsIdentity({ tlsCert, tlsKey }: PostgresProxySettings): TlsIdentity | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  return {
    context: createSecureContext({ cert: tlsCert, key: tlsKey, minVersion: 'TLSv1.2' }),
    // In a chain, the first certificate is the server's own.
    endPoint: certificateHash(new X509Certificate(tlsCert).raw),
  };
}
