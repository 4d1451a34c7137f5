import { marked, unmarked } from '../../../test/support/marked-spans';
import { awsKey, jwt, privateKey } from './secrets';

// The examples of Amazon's documentation.
const ID = 'AKIAIOSFODNN7EXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

describe('the detector aws_key', () => {
  it.each([
    `«${ID}»`,
    '«ASIAIOSFODNN7EXAMPLE»',
    '«ABIAIOSFODNN7EXAMPLE»',
    '«ACCAIOSFODNN7EXAMPLE»',
    `id=«${ID}»;`,
    `"«${ID}»"`,
    `|«${ID}»|«${ID}»|`,
    `"a\\n«${ID}»\\n"`,
    `https://x.example/?AWSAccessKeyId=«${ID}»&Expires=1`,
    `aws_«secret_access_key = ${SECRET}»`,
    `AWS_«SECRET_ACCESS_KEY=${SECRET}»`,
    `"«SecretAccessKey": "${SECRET}»"`,
    `{\\"«SecretAccessKey\\":\\"${SECRET}»\\"}`,
    `«secret key: ${SECRET}»\n`,
    `«secretKey=>'${SECRET}»'`,
    `${ID.toLowerCase()} «${ID}», «secret_key ${SECRET}»`,
  ])('finds %s', (shown) => {
    expect(marked(awsKey, unmarked(shown))).toBe(shown);
  });

  it.each([
    SECRET,
    `key = ${SECRET}`,
    `secret = ${SECRET}`,
    `secret_access_key = ${SECRET}X`,
    `secret_access_key = ${SECRET}=`,
    `secret_access_key = ${SECRET.slice(1)}`,
    `secret_access_key of the account: ${SECRET}`,
    'secret_access_key = ',
    ID.slice(0, -1),
    `${ID}X`,
    `X${ID}`,
    `_${ID}`,
    ID.toLowerCase(),
    'AKIA IOSFODNN7EXAMPLE',
    'AKIAIOSFODNN7-EXAMPLE',
    'AROAIOSFODNN7EXAMPLE',
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'DE89370400440532013000',
  ])('does not find %s', (text) => {
    expect(marked(awsKey, text)).toBe(text);
  });
});

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const HEADER = base64url({ alg: 'HS256', typ: 'JWT' });
const TOKEN = `${HEADER}.${base64url({ sub: '1234567890' })}.${'s'.repeat(43)}`;

describe('the detector jwt', () => {
  it.each([
    `«${TOKEN}»`,
    `Bearer «${TOKEN}»`,
    `Authorization: Bearer «${TOKEN}»\r\n`,
    `"«${TOKEN}»"`,
    `token=«${TOKEN}»&x=1`,
    `|«${TOKEN}»|«${TOKEN}»|`,
    `"a\\n«${TOKEN}»\\n"`,
    `'«${TOKEN}»'::text`,
    `(«${TOKEN}»)`,
    `«${HEADER}.e30.»`,
    `«${base64url({ alg: 'none' })}.${base64url({})}.»`,
    `«${base64url({ kid: 'ä'.repeat(100), alg: 'ES512' })}.e30.${'-_'.repeat(60)}»`,
    `«${base64url({ alg: 'dir', enc: 'A256GCM' })}..${'i'.repeat(16)}».${'c'.repeat(9)}.tag`,
    `«${HEADER}.${'p'.repeat(12_288)}.${'s'.repeat(683)}»`,
    `<«${TOKEN}»>`,
  ])('finds token %#', (shown) => {
    expect(marked(jwt, unmarked(shown))).toBe(shown);
  });

  it.each([
    'eyJ',
    HEADER,
    `${HEADER}.e30`,
    `x${TOKEN}`,
    `-${TOKEN}`,
    `${base64url({ typ: 'JWT' })}.e30.sig`,
    `${base64url(['alg'])}.e30.sig`,
    'eyJhbGciOiJ.e30.sig',
    'eyJhbGci.a.b eyJhbGci.a.b',
    'eyJ.eyJ.eyJ',
    'www.example.com',
    '1.2.3',
    `${HEADER} . e30 . sig`,
    `${HEADER}..`.slice(0, -1),
    TOKEN.toUpperCase(),
    'package.module.Class',
  ])('does not find %s', (text) => {
    expect(marked(jwt, text)).toBe(text);
  });
});

const key = (kind: string, lineBreak = '\n'): string =>
  [`-----BEGIN ${kind}-----`, 'bm90IGEga2V5'.repeat(5), 'bm90IGEga2V5', `-----END ${kind}-----`].join(
    lineBreak,
  );

describe('the detector private_key', () => {
  it.each([
    ...['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'DSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'].map(
      (kind) => `«${key(kind)}»`,
    ),
    `«${key('OPENSSH PRIVATE KEY')}»`,
    `«${key('PGP PRIVATE KEY BLOCK')}»`,
    '«---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nbm90\n---- END SSH2 ENCRYPTED PRIVATE KEY ----»',
    `a «${key('PRIVATE KEY')}» b «${key('PRIVATE KEY')}» c`,
    `"«${key('PRIVATE KEY', '\\n')}\\n»"`.replace('\\n»', '»\\n'),
    `{"key":"{\\"«${key('PRIVATE KEY', '\\\\n')}»\\"}"}`,
    `«${key('PRIVATE KEY', '\r\n')}»\r\n`,
    `| «${key('PRIVATE KEY', ' ')}» |`,
    `«${key('PRIVATE KEY', '')}»`,
    `«-----BEGIN PRIVATE KEY-----\n${'A'.repeat(60)}»`,
    `«-----BEGIN PRIVATE KEY-----${'A'.repeat(16_357)}»${'A'.repeat(100)}`,
    `«-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nbm90\n-----END RSA PRIVATE KEY-----»`,
  ])('finds key %#', (shown) => {
    expect(marked(privateKey, unmarked(shown))).toBe(shown);
  });

  it.each([
    '-----BEGIN ',
    '-----BEGIN CERTIFICATE-----\nbm90\n-----END CERTIFICATE-----',
    key('PUBLIC KEY'),
    key('RSA PUBLIC KEY'),
    key('CERTIFICATE REQUEST'),
    key('PGP PUBLIC KEY BLOCK'),
    key('PGP MESSAGE'),
    '-----END PRIVATE KEY-----',
    '-----begin private key-----',
    '---BEGIN PRIVATE KEY---',
    'BEGIN PRIVATE KEY',
    '-----BEGIN PRIVATE KEYS-----',
    '-----BEGIN\nPRIVATE KEY-----',
    '-----BEGINPRIVATE KEY-----',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@host',
    '-- begin; private key --',
  ])('does not find %s', (text) => {
    expect(marked(privateKey, text)).toBe(text);
  });
});
