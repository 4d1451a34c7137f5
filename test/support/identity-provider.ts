import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import {
  type DevelopmentIdentityProvider,
  type DevelopmentIdentityProviderOptions,
  startDevelopmentIdentityProvider,
} from '../../src/development/identity-provider/identity-provider';
import { forgetOidcRequests } from './oidc-context';
import { signingKey } from './signing-keys';

/** Starts a development identity provider with an existing key, because tests start hundreds of them. */
export async function startIdentityProvider(
  options: DevelopmentIdentityProviderOptions,
): Promise<DevelopmentIdentityProvider> {
  const folder = await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'identity-provider-'));
  const jwk = await exportJWK(signingKey().privateKey);
  const signing = [{ ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'RS256', use: 'sig' }];
  const keysFile = join(folder, 'keys.json');
  await writeFile(keysFile, JSON.stringify({ signing, cookies: [randomBytes(32).toString('base64url')] }));
  const provider = await startDevelopmentIdentityProvider({ keysFile, ...options });
  forgetOidcRequests();
  return {
    ...provider,
    close: async () => {
      await provider.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
