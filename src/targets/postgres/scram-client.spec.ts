import { ScramClient } from './scram-client';
import { scramKeys } from './scram-keys';

/** The example of RFC 7677, section 3. */
const EXAMPLE = {
  nonce: 'rOprNGfwEbeRWgbNEkqO',
  first: 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096',
  final:
    'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
  proof: 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
};

const client = (password = 'pencil'): ScramClient => new ScramClient(password, EXAMPLE.nonce, 'user');

describe('the client side of SCRAM-SHA-256', () => {
  it('says what the example of RFC 7677 says', async () => {
    const scram = client();
    expect(await scram.final(EXAMPLE.first)).toBe(EXAMPLE.final);
    expect(() => scram.check(EXAMPLE.proof)).not.toThrow();
  });

  it.each([
    ['another nonce', EXAMPLE.first.replace('rOpr', 'rOpq')],
    ['its own nonce alone', EXAMPLE.first.replace('%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0', '')],
    ['no salt', EXAMPLE.first.replace(/s=[^,]*,/, '')],
    ['a salt that is no base64', EXAMPLE.first.replace('W22Z', '*22Z')],
    ['no iteration', EXAMPLE.first.replace('4096', '0')],
    ['an extension that must be known', `m=1,${EXAMPLE.first}`],
    ['years of work', EXAMPLE.first.replace('4096', '100001')],
    ['nothing', ''],
  ])('refuses a server that says %s', async (_what, first) => {
    await expect(client().final(first)).rejects.toThrow(/^SASL/);
  });

  it.each([
    ['a proof for another password', EXAMPLE.proof, 'pencils'],
    ['a proof of another length', 'v=6rriTRBi', 'pencil'],
    ['an error', 'e=other-error', 'pencil'],
    ['nothing', '', 'pencil'],
  ])('refuses a server that ends with %s', async (_what, proof, password) => {
    const scram = client(password);
    await scram.final(EXAMPLE.first);
    expect(() => scram.check(proof)).toThrow(/^SASL/);
  });

  it('refuses a proof before its own', () => {
    expect(() => client().check(EXAMPLE.proof)).toThrow(/^SASL/);
  });

  it('derives keys once for a sign-in', async () => {
    const scram = client();
    await scram.final(EXAMPLE.first);
    await expect(scram.final(EXAMPLE.first)).rejects.toThrow(/^SASL/);
  });

  it('needs a password', async () => {
    await expect(client('').final(EXAMPLE.first)).rejects.toThrow(/^SASL/);
  });
});

describe('keys of SCRAM', () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');

  it('are derived once for a password, a salt and a number of iterations', async () => {
    const keys = scramKeys('kept', salt, 10);
    expect(scramKeys('kept', Buffer.from(salt), 10)).toBe(keys);
    const others = [
      scramKeys('kepT', salt, 10),
      scramKeys('kept', Buffer.alloc(16), 10),
      scramKeys('kept', salt, 11),
    ];
    const all = (await Promise.all([keys, ...others])).map(({ clientKey }) => clientKey.toString('hex'));
    expect(new Set(all).size).toBe(4);
  });

  it.each([
    ['spaces that are not ASCII', 'a\u00a0b\u3000c', 'a b c'],
    ['characters that are not seen', 'a\u00adb\ufe0fc\u2060', 'abc'],
    ['forms of compatibility', '\u{2168}\u{fb01}', 'IXfi'],
  ])('are the same for %s', async (_what, written, prepared) => {
    const [one, other] = await Promise.all([scramKeys(written, salt, 10), scramKeys(prepared, salt, 10)]);
    expect(one.clientKey.equals(other.clientKey)).toBe(true);
  });

  it('are not kept when they could not be derived', async () => {
    await expect(scramKeys('never', salt, 0)).rejects.toThrow(/iterations/);
    await expect(scramKeys('never', salt, 0)).rejects.toThrow(/iterations/);
    expect((await scramKeys('never', salt, 1)).clientKey).toHaveLength(32);
  });
});
