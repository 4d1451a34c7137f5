import { utils } from 'ssh2';
import { runs } from '../../../test/support/fast-check';
import { freshSshKey } from './fresh-ssh-key';
import { knownHostsLine } from './ssh-host-keys';

describe('freshSshKey', () => {
  it('makes keys that can be read and used', () => {
    for (let count = 0; count < runs(300); count += 1) {
      const { key, publicKey } = freshSshKey();
      const parsed = utils.parseKey(key);
      if (parsed instanceof Error) throw parsed;
      const message = Buffer.from('message');
      expect(parsed.verify(message, parsed.sign(message))).toBe(true);
      expect(parsed.getPublicSSH().toString('base64')).toBe(publicKey);
    }
  });
});

describe('knownHostsLine', () => {
  const key = { type: 'ssh-ed25519', publicKey: 'AAAA', fingerprint: '' };

  it('has a port other than 22 in the name', () => {
    expect(knownHostsLine('gw.example.com', 22, key)).toBe('gw.example.com ssh-ed25519 AAAA');
    expect(knownHostsLine('gw.example.com', 2_222, key)).toBe('[gw.example.com]:2222 ssh-ed25519 AAAA');
  });
});
