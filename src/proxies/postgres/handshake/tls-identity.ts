import { X509Certificate } from 'node:crypto';
import { type SecureContext, createSecureContext } from 'node:tls';
import { OLDEST_TLS, type TlsPair } from '../../../platform/config/tls-pair';
import { certificateHash } from './certificate-hash';

/** The gateway's certificate in the forms that TLS and SCRAM use. */
export interface TlsIdentity {
  readonly context: SecureContext;
  /** `tls-server-end-point` for SCRAM-SHA-256-PLUS; undefined where none is defined for the certificate. */
  readonly endPoint: Buffer | undefined;
}

/** @param pair checked before: key and certificate match */
export function tlsIdentity({ cert, key }: TlsPair): TlsIdentity {
  return {
    context: createSecureContext({ cert, key, minVersion: OLDEST_TLS }),
    // In a chain, the first certificate is the server's own.
    endPoint: certificateHash(new X509Certificate(cert).raw),
  };
}
