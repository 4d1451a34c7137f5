import { createHash } from 'node:crypto';

/**
 * Object identifiers of signature algorithms (RFC 3279, 4055, 5758), DER in
 * hex, and the hash function of each.
 */
const hashOfSignature: Readonly<Record<string, string>> = {
  '2a864886f70d010104': 'md5',
  '2a864886f70d010105': 'sha1',
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a864886f70d01010e': 'sha224',
  '2a8648ce3d0401': 'sha1',
  '2a8648ce3d040301': 'sha224',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
};
/**
 * Identifier of RSASSA-PSS, whose parameters name the hash function by one of the identifiers in `hashes`.
 */
const RSASSA_PSS = '2a864886f70d01010a';
const hashes: Readonly<Record<string, string>> = {
  '2b0e03021a': 'sha1',
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
  '608648016503040204': 'sha224',
};

const SEQUENCE = 0x30;
const OBJECT_IDENTIFIER = 0x06;
const FIRST_PARAMETER = 0xa0;

/**
 * Returns the `tls-server-end-point` of a certificate in DER (RFC 5929, section 4.1): the certificate's hash
 * by the hash function of its signature, but by SHA-256 if that function is MD5 or SHA-1. Returns undefined
 * for signatures without a separate hash function, such as Ed25519, for which no binding is defined.
 */
export function certificateHash(certificate: Buffer): Buffer | undefined {
  const hash = signatureHash(certificate);
  if (hash === undefined) return undefined;
  return createHash(hash === 'md5' || hash === 'sha1' ? 'sha256' : hash)
    .update(certificate)
    .digest();
}

/**
 * Returns the hash function of the signature algorithm in Certificate ::= SEQUENCE { tbsCertificate,
 * signatureAlgorithm SEQUENCE { algorithm, parameters }, … }
 */
function signatureHash(certificate: Buffer): string | undefined {
  const [, algorithm] = children(children(certificate)[0]?.content);
  const [identifier, parameters] = children(algorithm?.content);
  if (identifier?.tag !== OBJECT_IDENTIFIER) return undefined;
  const name = identifier.content.toString('hex');
  return name === RSASSA_PSS ? pssHash(parameters) : hashOfSignature[name];
}

/**
 * Returns the hash function in RSASSA-PSS-params ::= SEQUENCE { hashAlgorithm [0] SEQUENCE { algorithm, … }
 * DEFAULT sha1, … }
 */
function pssHash(parameters: Element | undefined): string | undefined {
  if (parameters?.tag !== SEQUENCE) return undefined;
  const first = children(parameters.content).find(({ tag }) => tag === FIRST_PARAMETER);
  if (first === undefined) return 'sha1';
  const [identifier] = children(children(first.content)[0]?.content);
  return identifier === undefined ? undefined : hashes[identifier.content.toString('hex')];
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/** Consecutive DER elements, up to the first invalid one. */
function children(bytes: Buffer | undefined): Element[] {
  const found: Element[] = [];
  let rest = bytes ?? Buffer.alloc(0);
  while (rest.length >= 2) {
    const [tag = 0, short = 0] = rest;
    const wide = short < 0x80 ? 0 : short & 0x7f;
    // Three length bytes are enough, because no certificate is larger than 16 MiB.
    if (wide > 3 || rest.length < 2 + wide) break;
    const length = wide === 0 ? short & 0x7f : rest.readUIntBE(2, wide);
    found.push({ tag, content: rest.subarray(2 + wide, 2 + wide + length) });
    rest = rest.subarray(2 + wide + length);
  }
  return found;
}
