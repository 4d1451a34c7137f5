import { utils } from 'ssh2';

/** Number of attempts to generate a key. Each succeeds with a probability of more than 99 %. */
const MAX_ATTEMPTS = 10;

/**
 * Returns a new Ed25519 key in OpenSSH's format, and its public half in base64. `ssh2` writes some of its
 * keys in a form that it cannot read itself, so a key is read before it is used.
 */
export function freshSshKey(): { readonly key: string; readonly publicKey: string } {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const { private: key } = utils.generateKeyPairSync('ed25519');
    const parsed = utils.parseKey(key);
    if (!(parsed instanceof Error)) return { key, publicKey: parsed.getPublicSSH().toString('base64') };
  }
  throw new Error('no SSH key could be generated');
}
