import * as fc from '../../../test/support/fast-check';
import { certificateKeyId } from './certificate-key-id';

describe('the key id of a certificate', () => {
  it('names the person, the session and the connection', () => {
    expect(certificateKeyId('alice@example.com', '1', 'web1')).toBe(
      'alice@example.com session 1 connection web1',
    );
    expect(certificateKeyId('alice@example.com', undefined, 'web1')).toBe(
      'alice@example.com test connection web1',
    );
  });

  it('has one word for the person, whatever the identity provider calls it', () => {
    const names = fc.oneof(
      fc.constant(`bob" (serial 1) session 2 connection 'db'`),
      fc.string({ unit: 'binary', maxLength: 300 }),
    );
    fc.assert(
      fc.property(names, (person) => {
        const [name = '', ...rest] = certificateKeyId(person, '1', 'web1').split(' ');
        expect(rest).toEqual(['session', '1', 'connection', 'web1']);
        expect(name).not.toMatch(/[\s"'()]/);
      }),
    );
  });
});
