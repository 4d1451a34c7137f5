import type { ParsedKey, PublicKeyAuthMethod } from 'ssh2';
import { utils } from 'ssh2';
import { SignInMethods } from './sign-in-methods';

function rsaKey(): ParsedKey {
  const key = utils.parseKey(utils.generateKeyPairSync('rsa', { bits: 2_048 }).private);
  if (key instanceof Error) throw key;
  return key;
}

describe('the methods of a sign-in', () => {
  it('sign with a key of RSA and SHA-2, and not with SHA-1', () => {
    const key = rsaKey();
    const methods = new SignInMethods('alice', { key });
    const method = methods.next(null, null) as PublicKeyAuthMethod;
    expect([method.type, method.username]).toEqual(['publickey', 'alice']);
    const given = method.key as ParsedKey;
    expect(key.verify('data', given.sign('data', 'sha256'), 'sha256')).toBe(true);
    expect(given.getPublicSSH()).toEqual(key.getPublicSSH());
    expect(given.sign('data', 'sha1')).toBeInstanceOf(Error);
    expect(methods.next(['publickey'], false)).toBe(false);
    expect(methods.fault.code).toBe('NO_MODERN_SIGNATURE');
  });

  it('try a key once', () => {
    const methods = new SignInMethods('alice', { key: rsaKey() });
    methods.next(null, null);
    expect(methods.next(['publickey', 'password'], false)).toBe(false);
    expect(methods.fault.code).toBe('REFUSED');
    expect(methods.next(['password'], false)).toBe(false);
    expect(methods.fault.code).toBe('NO_KEYS');
  });

  it('try a certificate once, and name it as what was refused', () => {
    const methods = new SignInMethods('alice', { certified: rsaKey() });
    expect(methods.next(null, null)).toMatchObject({ type: 'publickey', username: 'alice' });
    expect(methods.next(['publickey', 'password'], false)).toBe(false);
    expect(methods.fault.code).toBe('CERTIFICATE_REFUSED');
  });

  it('stop at a second factor', () => {
    const methods = new SignInMethods('alice', { password: 'right' });
    expect(methods.next(null, null)).toMatchObject({ type: 'password', password: 'right' });
    expect(methods.next(['keyboard-interactive'], true)).toBe(false);
    expect(methods.fault.code).toBe('SECOND_FACTOR');
  });
});
