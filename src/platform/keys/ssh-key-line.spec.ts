import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import * as fc from '../../../test/support/fast-check';
import {
  blobOf,
  field,
  freshEcdsa,
  freshEd25519,
  freshRsa,
  integer,
  lineOf,
} from '../../../test/support/ssh/public-keys';
import { readSshKeyLine } from './ssh-key-line';
import {
  type RefusedKey,
  type SshPublicKey,
  readSshKeyBlob,
  sshFingerprint,
  sshKeyDigest,
} from './ssh-public-key';

const rsaOf = (e: Buffer, n: Buffer): Buffer => Buffer.concat([field('ssh-rsa'), integer(e), integer(n)]);
const E = Buffer.from([1, 0, 1]);
const messageOf = (read: SshPublicKey | RefusedKey): string =>
  read.kind === 'refused' ? read.message : `a key of type ${read.type}`;
const keyOf = (read: SshPublicKey | RefusedKey): SshPublicKey => {
  if (read.kind === 'refused') throw new Error(read.message);
  return read;
};

const VALID: readonly (readonly [string, number, string])[] = [
  ['ssh-ed25519', 256, freshEd25519().line],
  ['ecdsa-sha2-nistp256', 256, freshEcdsa('P-256').line],
  ['ecdsa-sha2-nistp384', 384, freshEcdsa('P-384').line],
  ['ecdsa-sha2-nistp521', 521, freshEcdsa('P-521').line],
  ['ssh-rsa', 2048, freshRsa(2048).line],
  ['ssh-rsa', 3072, freshRsa(3072).line],
];
const blobIn = (line: string): Buffer => Buffer.from(line.split(' ')[1] ?? '', 'base64');
const BLOBS = VALID.map(([, , line]) => blobIn(line));

// promises: SSHKEY-1
describe('the reader of public keys', () => {
  it.each(VALID)('reads a key of type %s with %i bits', (type, bits, line) => {
    const [, base64] = line.split(' ');
    for (const spelled of [line, `${type} ${base64}`, `  ${type}\t${base64}  a comment of words \r\n`]) {
      const read = keyOf(readSshKeyLine(spelled));
      expect(read).toMatchObject({ type, bits });
      expect(read.blob.toString('base64')).toBe(base64);
    }
  });

  it('gives the fingerprint of ssh-keygen', () => {
    const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f';
    expect(sshFingerprint(sshKeyDigest(keyOf(readSshKeyLine(line)).blob))).toBe(
      'SHA256:ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA',
    );
  });

  it('refuses private keys in each form, with one sentence that repeats nothing of them', () => {
    const { privateKey: openSsh } = freshEd25519();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const passphrase = { cipher: 'aes-256-cbc', passphrase: 'canary' };
    const forms = [
      openSsh,
      openSsh.split('\n').slice(1, -2).join('\n'),
      openSsh.replaceAll('\n', ' '),
      `my key:\n${openSsh}`,
      privateKey.export({ type: 'pkcs1', format: 'pem' }),
      privateKey.export({ type: 'pkcs8', format: 'pem' }),
      privateKey.export({ type: 'pkcs8', format: 'pem', ...passphrase }),
      freshEcdsa('P-256').privateKey,
      'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\nAAAA',
      '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nAAAA',
      '-----begin openssh private key-----',
    ];
    for (const form of forms)
      expect(messageOf(readSshKeyLine(String(form)))).toMatch(/^this is a private key\. It was not stored/);
  });

  it('refuses other types, other forms and weak keys, each with a sentence', () => {
    const small = blobOf(createPublicKey(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey));
    const odd2047 = Buffer.alloc(256, 0xff);
    odd2047[0] = 0x7f;
    const large = Buffer.alloc(2049, 0xff);
    const security = Buffer.concat([
      field('sk-ssh-ed25519@openssh.com'),
      field(Buffer.alloc(32, 9)),
      field('ssh:'),
    ]);
    const certificate = Buffer.concat([field('ssh-ed25519-cert-v01@openssh.com'), field('x')]);
    const { line } = freshEd25519();
    const cases: readonly (readonly [string, RegExp])[] = [
      [lineOf(small), /^this RSA key has 1024 bits, and at least 2048 are needed$/],
      [lineOf(rsaOf(E, odd2047)), /has 2047 bits/],
      [lineOf(rsaOf(E, large)), /has 16392 bits, and at most 16384/],
      [lineOf(Buffer.concat([field('ssh-dss'), field('x')])), /DSA keys are too weak/],
      [lineOf(security), /security keys/],
      [lineOf(certificate), /certificate/],
      [lineOf(field('x25519')), /this type of key is not supported/],
      [`${line}\n${line}`, /one public key at a time/],
      [`command="true",no-pty ${line}`, /options before the key/],
      [`restrict ${line}`, /options before the key/],
      ['-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----', /another form/],
      ['---- BEGIN SSH2 PUBLIC KEY ----\nAAAA', /another form/],
      ['', /no public key/],
      ['hello', /no public key/],
      [`ssh-ed25519 ${'*'.repeat(60)}`, /no public key/],
      [line.slice(0, 40), /damaged|no public key/],
      [line.replace('ssh-ed25519', 'ssh-rsa'), /no public key/],
      ['some text of mine', /no public key/],
    ];
    for (const [text, message] of cases) expect(messageOf(readSshKeyLine(text))).toMatch(message);
  });

  it('refuses keys with which anybody could sign', () => {
    const identity = `01${'00'.repeat(31)}`;
    const ofOrderEight = '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05';
    for (const hex of [identity, ofOrderEight])
      for (const sign of [0, 0x80]) {
        const point = Buffer.from(hex, 'hex');
        point[31] = (point[31] ?? 0) | sign;
        const blob = Buffer.concat([field('ssh-ed25519'), field(point)]);
        expect(messageOf(readSshKeyBlob(blob))).toMatch(/anybody could sign/);
      }
  });

  it('refuses an RSA key whose checks would be slow, or mean nothing', () => {
    const { n } = createPublicKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey).export({
      format: 'jwk',
    });
    const modulus = Buffer.from(n ?? '', 'base64url');
    const even = Buffer.from(modulus);
    even[255] = (even[255] ?? 0) & 0xfe;
    expect(readSshKeyBlob(rsaOf(E, modulus)).kind).toBe('key');
    for (const blob of [
      rsaOf(Buffer.from([1]), modulus),
      rsaOf(Buffer.from([2]), modulus),
      rsaOf(Buffer.alloc(9, 0xff), modulus),
      rsaOf(Buffer.alloc(0), modulus),
      rsaOf(E, even),
    ])
      expect(messageOf(readSshKeyBlob(blob))).toMatch(/damaged/);
  });

  it('refuses a point that is not on its curve, and a curve of another type', () => {
    const [blob = Buffer.alloc(0)] = BLOBS.slice(1);
    const moved = Buffer.from(blob);
    moved[moved.length - 1] = (moved.at(-1) ?? 0) ^ 1;
    const point = blob.subarray(-65);
    const other = Buffer.concat([field('ecdsa-sha2-nistp256'), field('nistp384'), field(point)]);
    const compressed = Buffer.concat([
      field('ecdsa-sha2-nistp256'),
      field('nistp256'),
      field(Buffer.concat([Buffer.from([2 + ((point.at(-1) ?? 0) & 1)]), point.subarray(1, 33)])),
    ]);
    for (const bad of [moved, other, compressed]) expect(messageOf(readSshKeyBlob(bad))).toMatch(/damaged/);
  });

  it('knows one encoding of each key: changed, cut or longer bytes are no other spelling of it', () => {
    const blobs = fc.constantFrom(...BLOBS);
    fc.assert(
      fc.property(
        blobs,
        fc.nat(),
        fc.nat({ max: 300 }),
        fc.uint8Array({ maxLength: 5 }),
        (blob, at, cut, added) => {
          const place = at % (blob.length + 1);
          const changed = Buffer.concat([blob.subarray(0, place), added, blob.subarray(place + cut)]);
          fc.pre(!changed.equals(blob));
          const read = readSshKeyBlob(changed);
          if (read.kind === 'refused') return;
          // It may be another key, but never this one in other bytes.
          const one = keyOf(readSshKeyBlob(blob));
          expect(read.key.export({ format: 'jwk' })).not.toEqual(one.key.export({ format: 'jwk' }));
          expect(read.blob).toEqual(changed);
          expect(blobOf(read.key)).toEqual(changed);
        },
      ),
    );
    for (const blob of BLOBS.slice(4)) {
      const padded = Buffer.concat([field('ssh-rsa'), field(Buffer.from([0, 1, 0, 1])), blob.subarray(18)]);
      expect(messageOf(readSshKeyBlob(padded))).toMatch(/damaged/);
    }
  });

  it('reads any text and any bytes without a fault, and repeats nothing of them', () => {
    const canary = 'canary7';
    const text = fc.string({ unit: 'binary', maxLength: 100 });
    const parts = fc.constantFrom(
      ' ',
      '\n',
      'ssh-ed25519',
      'AAAA',
      'BEGIN ',
      'PRIVATE KEY',
      '=',
      ...VALID.map(([, , line]) => line),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(text, parts), { maxLength: 4 }), (pieces) => {
        const read = readSshKeyLine(`${canary}${pieces.join('')}`);
        expect(messageOf(read)).not.toContain(canary);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readSshKeyBlob(Buffer.from(bytes)).kind).toBe('refused');
      }),
      {
        examples: [[new Uint8Array(0)], [new Uint8Array([255, 255, 255, 255])], [new Uint8Array([0, 0, 0])]],
      },
    );
  });
});
