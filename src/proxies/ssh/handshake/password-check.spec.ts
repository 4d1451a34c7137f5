import { scramVerifier } from '../../../access/credentials/scram-verifier';
import { mockVerifier } from '../../kit/mock-verifier';
import { isPasswordOf } from './password-check';

describe('isPasswordOf', () => {
  it('knows the password of an issued credential, and no other', async () => {
    const verifier = await scramVerifier('a-password');
    expect(await isPasswordOf(verifier, 'a-password')).toBe(true);
    for (const other of ['', 'a-passwor', 'A-password', 'a-password '])
      expect(await isPasswordOf(verifier, other)).toBe(false);
    expect(await isPasswordOf(mockVerifier(Buffer.alloc(32), 'nobody'), 'a-password')).toBe(false);
  });
});
