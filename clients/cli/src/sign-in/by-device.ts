import { setTimeout as delay } from 'node:timers/promises';
import { CommandFault, EXIT } from '../exit-codes.js';
import { OAuthRefusal, type SignIn, post, signInOf } from './oauth.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const SLOWER_SECONDS = 5;

/** Signs in with a browser on another device, where the user types a code (RFC 8628). */
export async function signInByDevice(
  api: string,
  show: (address: string, code: string) => void,
  signal: AbortSignal,
): Promise<SignIn> {
  const begun = await post(api, '/device_authorization', { resource: api });
  show(String(begun['verification_uri']), String(begun['user_code']));
  const form = { grant_type: GRANT, device_code: String(begun['device_code']), resource: api };
  let interval = Number(begun['interval'] ?? SLOWER_SECONDS);
  for (;;) {
    await delay(interval * 1000, undefined, { signal }).catch(() => {
      throw new CommandFault('interrupted', EXIT.interrupted);
    });
    try {
      return signInOf(await post(api, '/token', form));
    } catch (error) {
      if (!(error instanceof OAuthRefusal)) throw error;
      if (error.code === 'slow_down') interval += SLOWER_SECONDS;
      else if (error.code !== 'authorization_pending')
        throw new CommandFault(`you were not signed in: ${error.message}`, EXIT.notAllowed);
    }
  }
}
