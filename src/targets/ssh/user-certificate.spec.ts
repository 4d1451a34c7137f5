import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ParsedKey, utils } from 'ssh2';
import * as fc from '../../../test/support/fast-check';
import { freshSshKey } from '../../platform/keys/fresh-ssh-key';
import { Fields } from './fields';
import { CERTIFICATE_TYPE, certifiedKey, userCertificate, withCertificate } from './user-certificate';

const NOW = Date.parse('2026-11-30T12:00:00.999Z');

function parsed(text: string): ParsedKey {
  const key = utils.parseKey(text);
  if (key instanceof Error) throw key;
  return key;
}

const { key: caText } = freshSshKey();
const ca = parsed(caText);
const user = parsed(freshSshKey().key);
const CONTENTS = {
  publicKey: user.getPublicSSH(),
  keyId: 'alice@example.com session 1 connection web1',
  principal: 'deploy',
  hasTerminal: false,
  now: NOW,
};

/** Lines that `ssh-keygen -L` prints of a certificate, without spaces around. */
function shown(certificate: Buffer): string[] {
  const folder = mkdtempSync(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'certificate-'));
  try {
    const file = join(folder, 'certificate.pub');
    writeFileSync(file, `${CERTIFICATE_TYPE} ${certificate.toString('base64')}\n`);
    const text = execFileSync('ssh-keygen', ['-L', '-f', file], {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC' },
    });
    return text.split('\n').map((line) => line.trim());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The fields of a certificate in PROTOCOL.certkeys, and all bytes that the signature covers. */
function read(certificate: Buffer) {
  const fields = new Fields(certificate);
  const uint64 = (): number => fields.number() * 2 ** 32 + fields.number();
  const type = fields.bytes().toString();
  const nonce = fields.bytes();
  const key = fields.bytes();
  const serial = [fields.number(), fields.number()].join('.');
  const forUser = fields.number();
  const keyId = fields.bytes().toString();
  const principals = fields.bytes();
  const [after, before] = [uint64(), uint64()];
  const [critical, extensions, reserved, signer, signature] = [
    fields.bytes(),
    fields.bytes(),
    fields.bytes(),
    fields.bytes(),
    fields.bytes(),
  ];
  const signed = certificate.subarray(0, certificate.length - signature.length - 4);
  return {
    type,
    nonce,
    key,
    serial,
    forUser,
    keyId,
    principals,
    after,
    before,
    critical,
    extensions,
    reserved,
    signer,
    signature,
    signed,
  };
}

describe('a certificate', () => {
  it('is what ssh-keygen reads', () => {
    const lines = shown(userCertificate(ca, { ...CONTENTS, hasTerminal: true }));
    const fingerprint = expect.stringMatching(/^(?:Public key: ED25519-CERT|Signing CA: ED25519) SHA256:/);
    expect(lines.slice(1)).toEqual([
      'Type: ssh-ed25519-cert-v01@openssh.com user certificate',
      fingerprint,
      fingerprint,
      'Key ID: "alice@example.com session 1 connection web1"',
      expect.stringMatching(/^Serial: [1-9]\d*$/),
      'Valid: from 2026-11-30T11:55:00 to 2026-11-30T12:05:00',
      'Principals:',
      'deploy',
      'Critical Options: (none)',
      'Extensions:',
      'permit-pty',
      '',
    ]);
    expect(lines.find((line) => line.startsWith('Signing CA'))).toContain('(using ssh-ed25519)');
  });

  it('allows nothing but what it names', () => {
    const lines = shown(userCertificate(ca, CONTENTS));
    expect(lines.slice(-3)).toEqual(['Critical Options: (none)', 'Extensions: (none)', '']);
  });

  it('for nobody, which would be one for everybody, is not made', () => {
    expect(() => userCertificate(ca, { ...CONTENTS, principal: '' })).toThrow('needs a principal');
  });

  it('has each content as it was given, signed by the CA, for any names', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 80 });
    const time = fc.integer({ min: 300_000, max: 2 ** 42 });
    fc.assert(
      fc.property(name, name, fc.boolean(), time, (keyId, principal, hasTerminal, now) => {
        const bytes = userCertificate(ca, { ...CONTENTS, keyId, principal, hasTerminal, now });
        const certificate = read(bytes);
        const seconds = Math.floor(now / 1_000);
        expect(certificate).toMatchObject({
          type: CERTIFICATE_TYPE,
          forUser: 1,
          after: seconds - 300,
          before: seconds + 300,
          key: user.getPublicSSH().subarray(-32),
          critical: Buffer.alloc(0),
          reserved: Buffer.alloc(0),
          signer: ca.getPublicSSH(),
        });
        expect(new Fields(certificate.principals).bytes()).toEqual(Buffer.from(principal));
        expect(certificate.principals).toHaveLength(Buffer.byteLength(principal) + 4);
        expect(certificate.keyId).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(certificate.extensions.includes('permit-pty')).toBe(hasTerminal);
        const signature = new Fields(certificate.signature);
        expect(signature.bytes().toString()).toBe('ssh-ed25519');
        expect(ca.verify(certificate.signed, signature.bytes())).toBe(true);
      }),
      { numRuns: fc.runs(100) },
    );
  });

  it('is another one for each sign-in', () => {
    const [one, other] = [userCertificate(ca, CONTENTS), userCertificate(ca, CONTENTS)].map(read);
    expect(one?.nonce).not.toEqual(other?.nonce);
    expect(one?.serial).not.toBe(other?.serial);
  });
});

describe('the secret of a connection', () => {
  const use = { keyId: 'alice', hasTerminal: false };
  const caKey = () => Promise.resolve(caText);

  it('gets a fresh key with its certificate for each sign-in', async () => {
    const secret = { AUTH: 'certificate', USER: 'deploy' };
    const [one, other] = [
      await withCertificate(secret, use, caKey),
      await withCertificate(secret, use, caKey),
    ];
    expect(one['PRIVATE_KEY']).not.toBe(other['PRIVATE_KEY']);
    const key = certifiedKey(one);
    expect(key.type).toBe(CERTIFICATE_TYPE);
    expect(key.isPrivateKey()).toBe(true);
    const { key: publicHalf } = read(key.getPublicSSH());
    const plain = parsed(one['PRIVATE_KEY'] ?? '');
    expect(plain.getPublicSSH().subarray(-32)).toEqual(publicHalf);
    expect(plain.verify('data', key.sign('data'))).toBe(true);
  });

  it('stays as it is where the connection has a password or a key', async () => {
    const secret = { USER: 'deploy', PASS: 'secret' };
    expect(await withCertificate(secret, use, () => Promise.reject(new Error('no CA is needed')))).toBe(
      secret,
    );
  });
});
