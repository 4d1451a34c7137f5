import { utils } from 'ssh2';
import * as fc from '../../../test/support/fast-check';
import { offeredAlgorithms } from './algorithms';
import { fingerprintOf, hostKeyFault, hostKeys } from './host-keys';

const { public: ED25519 } = utils.generateKeyPairSync('ed25519');
const { public: ECDSA } = utils.generateKeyPairSync('ecdsa', { bits: 256 });
const { public: RSA } = utils.generateKeyPairSync('rsa', { bits: 2_048 });
const { public: SHORT } = utils.generateKeyPairSync('rsa', { bits: 1_024 });

function fingerprint(line: string): string {
  return fingerprintOf(Buffer.from(line.split(' ')[1] ?? '', 'base64'));
}

describe('HOST_KEY', () => {
  it('has keys in each form that people find them in', () => {
    const lines = [
      '# web1:22 SSH-2.0-OpenSSH_9.2',
      `web1,10.0.0.1 ${ED25519} a comment`,
      `\t[web1]:2222   ${ECDSA}\r`,
      `|1|abc=|def= ${RSA}`,
      '',
      `SHA256:${'A'.repeat(43)}`,
      `SHA256:${'B'.repeat(43)}=`,
    ].join('\n');
    expect(hostKeyFault(lines)).toBeUndefined();
    expect(hostKeys(lines)).toEqual({
      fingerprints: new Set([
        ...[ED25519, ECDSA, RSA].map(fingerprint),
        `SHA256:${'A'.repeat(43)}`,
        `SHA256:${'B'.repeat(43)}`,
      ]),
      types: new Set(['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa']),
    });
  });

  it.each<[string, string, RegExp]>([
    ['nothing', ' \n# only a comment', /must have a key/],
    ['an MD5 fingerprint', `MD5:${Array(16).fill('ab').join(':')}`, /MD5/],
    ['one without its prefix', Array(16).fill('ab').join(':'), /MD5/],
    ['a certificate authority', `@cert-authority * ${ED25519}`, /@cert-authority/],
    ['a revoked key', `@revoked * ${ED25519}`, /@revoked/],
    ['a DSA key', `host ssh-dss ${ED25519.split(' ')[1]}`, /must have lines/],
    ['a key of a token', `sk-ssh-ed25519@openssh.com ${ED25519.split(' ')[1]}`, /must have lines/],
    ['a short RSA key', SHORT, /less than 2048 bits/],
    ['a key of another type', ED25519.replace('ssh-ed25519', 'ssh-rsa'), /cannot be read/],
    ['half a key', ED25519.slice(0, 40), /cannot be read/],
    ['a short fingerprint', 'SHA256:AAAA', /must have lines/],
    ['a good line and a bad one', `${ED25519}\nfoo`, /must have lines/],
    ['a private key', utils.generateKeyPairSync('ed25519').private, /must have lines|must have at most/],
    ['101 keys', Array(101).fill(ED25519).join('\n'), /at most 100/],
  ])('refuses %s', (_, value, fault) => {
    expect(hostKeyFault(value)).toMatch(fault);
  });

  it('has a fault, or as many keys as lines; never anything of the value in the fault', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'ssh-ed25519',
        'ssh-rsa',
        '@revoked',
        'SHA256:',
        ED25519.split(' ')[1] ?? '',
        'host',
        '#',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    const line = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const value = lines.join('\n');
        const { fingerprints } = hostKeys(value);
        expect(hostKeyFault(value) !== undefined || fingerprints.size > 0).toBe(true);
      }),
    );
  });
});

describe('the algorithms that are offered', () => {
  it('have the types of pinned keys first, and all others, so that a changed key is shown', () => {
    const all = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'];
    const rsa = ['rsa-sha2-512', 'rsa-sha2-256'];
    expect(offeredAlgorithms(new Set()).serverHostKey).toEqual([...all, ...rsa]);
    expect(offeredAlgorithms(new Set(['ssh-rsa'])).serverHostKey).toEqual([...rsa, ...all]);
  });

  it('have none with SHA-1, CBC, a small group or compression', () => {
    expect(JSON.stringify(offeredAlgorithms(new Set()))).not.toMatch(
      /sha1|cbc|arcfour|md5|ssh-dss|group1\b|group-exchange|zlib|chacha/,
    );
  });
});
