import { X509Certificate, createHash } from 'node:crypto';
import * as fc from '../../../../test/support/fast-check';
import { type CertificateKind, describeWith, makeCertificate } from '../../../../test/support/tls';
import { certificateHash } from './certificate-hash';

describeWith('openssl')('certificateHash', () => {
  const raw = (kind: CertificateKind): Buffer => new X509Certificate(makeCertificate(kind).cert).raw;

  it.each([
    ['rsa-sha256', 'sha256'],
    ['rsa-sha512', 'sha512'],
    ['rsa-pss-sha384', 'sha384'],
    ['ecdsa-sha256', 'sha256'],
    ['ecdsa-sha384', 'sha384'],
    // SHA-1 is too weak for channel binding, so RFC 5929 uses SHA-256 instead.
    ['rsa-sha1', 'sha256'],
  ] as const)('of %s is by %s', (kind, hash) => {
    const certificate = raw(kind);
    expect(certificateHash(certificate)).toEqual(createHash(hash).update(certificate).digest());
  });

  it('is undefined for a signature without a hash of its own', () => {
    expect(certificateHash(raw('ed25519'))).toBeUndefined();
  });
});

describe('certificateHash', () => {
  it('of no certificate is undefined, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(certificateHash(Buffer.from(bytes))).toBeUndefined();
      }),
    );
  });
});
