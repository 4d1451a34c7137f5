import { generateKeyPairSync } from 'node:crypto';
import { utils } from 'ssh2';
import * as fc from '../../../test/support/fast-check';
import { pemKey } from '../../../test/support/ssh/played-server';
import { bcryptKey } from './bcrypt-kdf';
import { decryptedKey } from './encrypted-key';
import { signInKey } from './sign-in-key';

const OPTIONS = { cipher: 'aes256-ctr', rounds: 2, passphrase: 'correct horse' } as const;

function encrypted(): { readonly private: string; readonly public: string } {
  return utils.generateKeyPairSync('ed25519', OPTIONS as never);
}

async function typeOf(text: string, passphrase?: string): Promise<string> {
  const key = await signInKey(text, passphrase);
  return typeof key === 'string' ? key : key.type;
}

/** A key in the format of OpenSSH without encryption, whose type is `type`. */
function keyOfType(type: string): string {
  const field = (bytes: Buffer | string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(bytes));
    return Buffer.concat([length, Buffer.from(bytes)]);
  };
  const publicKey = Buffer.concat([field(type), field(Buffer.alloc(32))]);
  const privatePart = Buffer.concat([Buffer.alloc(8), publicKey, field(Buffer.alloc(64)), field('')]);
  const bytes = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...['none', 'none', ''].map(field),
    Buffer.from([0, 0, 0, 1]),
    field(publicKey),
    field(privatePart),
  ]);
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----`;
}

describe('a private key', () => {
  it('is read in each format, with spaces around and with other ends of lines', async () => {
    const { private: plain } = utils.generateKeyPairSync('ecdsa', { bits: 384 });
    expect(await typeOf(`\n  ${plain.replaceAll('\n', '\r\n')}\r\n\r\n`)).toBe('ecdsa-sha2-nistp384');
    expect(await typeOf(pemKey('rsa'))).toBe('ssh-rsa');
    expect(await typeOf(pemKey('ec'))).toBe('ecdsa-sha2-nistp256');
    const pkcs8 = (type: 'rsa' | 'ed25519') =>
      (type === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
        : generateKeyPairSync('ed25519')
      ).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(await typeOf(pkcs8('rsa'))).toBe('ssh-rsa');
    expect(await typeOf(pkcs8('ed25519'))).toContain('PKCS #8 of an unsupported type');
  });

  it('is read with its passphrase, and with no other', async () => {
    const { private: key } = encrypted();
    expect(await typeOf(key, OPTIONS.passphrase)).toBe('ssh-ed25519');
    expect(await typeOf(key, 'wrong')).toBe('cannot be read with this PASSPHRASE');
    expect(await typeOf(key)).toBe('is encrypted, so secret.PASSPHRASE is required');
    expect(await typeOf(key, '')).toBe('is encrypted, so secret.PASSPHRASE is required');
  });

  it('is decrypted to what the driver itself reads', async () => {
    const { private: key, public: publicKey } = encrypted();
    const opened = await decryptedKey(key, OPTIONS.passphrase);
    const ours = utils.parseKey((opened as { text: string }).text);
    const theirs = utils.parseKey(key, OPTIONS.passphrase);
    if (ours instanceof Error || theirs instanceof Error) throw new Error('not read');
    expect(ours.getPrivatePEM()).toBe(theirs.getPrivatePEM());
    expect(ours.getPublicSSH().toString('base64')).toBe(publicKey.split(' ')[1]);
  });

  it.each<[string, () => string, string]>([
    ['of a security token', () => keyOfType('sk-ssh-ed25519@openssh.com'), 'has the unsupported type sk-'],
    ['of PuTTY', () => 'PuTTY-User-Key-File-3: ssh-ed25519', 'is in the format of PuTTY'],
    ['that is public', () => encrypted().public, 'is a public key'],
    ['that is short', () => pemKey('rsa', 1_024), 'is an RSA key of less than 2048 bits'],
    ['that is cut', () => pemKey('rsa').slice(0, 500), 'is not a complete private key'],
    ['that is none', () => 'hello', 'is not a complete private key'],
    ['that is too long', () => `${pemKey('rsa')}${'x'.repeat(40_000)}`, 'is longer than a private key'],
    [
      'in encrypted PKCS #8',
      () => '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMII\n-----END ENCRYPTED PRIVATE KEY-----',
      'is encrypted in a way that is not supported',
    ],
  ])('%s is refused in words', async (_, text, fault) => {
    expect(await typeOf(text(), 'x')).toContain(fault);
  });

  it('with more rounds than are computed is refused', async () => {
    const { private: key } = encrypted();
    const lines = key.trim().split('\n');
    const bytes = Buffer.from(lines.slice(1, -1).join(''), 'base64');
    // The rounds follow the salt of 16 bytes.
    const at = bytes.indexOf(Buffer.from([0, 0, 0, 16])) + 20;
    expect(bytes.readUInt32BE(at)).toBe(OPTIONS.rounds);
    for (const rounds of [101, 2 ** 31, 2 ** 32 - 1]) {
      bytes.writeUInt32BE(rounds, at);
      const slow = [lines[0], bytes.toString('base64'), lines.at(-1)].join('\n');
      expect(await typeOf(slow, OPTIONS.passphrase)).toContain('is encrypted in a way that is not supported');
    }
  });

  it('that is changed at any place never throws', async () => {
    const { private: key } = encrypted();
    const lines = key.trim().split('\n');
    const bytes = Buffer.from(lines.slice(1, -1).join(''), 'base64');
    // Changes of the salt and its rounds are left out: each costs a derivation.
    const place = fc.integer({ min: 0, max: bytes.length - 1 }).filter((at) => at < 30 || at > 70);
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), fc.nat(40), async (at, by, cut) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ by;
        const base64 = changed.subarray(0, changed.length - cut).toString('base64');
        const text = [lines[0], base64, lines.at(-1)].join('\n');
        expect(['string', 'object']).toContain(typeof (await signInKey(text, OPTIONS.passphrase)));
      }),
      { numRuns: fc.runs(30) },
    );
  });
});

describe('the key derivation', () => {
  it('is bcrypt_pbkdf', async () => {
    // Test vector of OpenBSD's bcrypt_pbkdf, as the tests of golang.org/x/crypto have it.
    const key = await bcryptKey('password', { salt: Buffer.from('salt'), rounds: 12, bytes: 32 });
    expect(key.toString('hex')).toBe('1ae42c05d487bc02f64921a4ebe4ea93bcacfe135fda99974c06b7b01fae149a');
  });
});
