import type { TokenProvider } from '@access-gateway/client';
import { CommandFault, EXIT } from '../exit-codes.js';
import { locked } from '../kept/lock.js';
import { secretStore } from '../kept/secret-store.js';
import { OAuthRefusal, type SignIn, post, signInOf } from './oauth.js';

/** A token that expires within this time is renewed before it is used. */
const EARLY_MS = 60_000;

/** Provides the access tokens for this API. Renews a token that has expired or that the gateway refused. */
export function tokensOf(api: string): TokenProvider {
  return async (refused) => {
    const kept = requiredSignIn(api);
    if (isGood(kept, refused)) return kept.access;
    return locked(async () => {
      // Meanwhile, another process may have renewed the token, or ended the sign-in.
      const current = requiredSignIn(api);
      return isGood(current, refused) ? current.access : (await renewed(api, current)).access;
    });
  };
}

function requiredSignIn(api: string): SignIn {
  const kept = readSignIn(api);
  if (kept === undefined)
    throw new CommandFault('you are not signed in; sign in with: gateway login', EXIT.notAllowed);
  return kept;
}

export function readSignIn(api: string): SignIn | undefined {
  const text = secretStore().read(api);
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as SignIn;
  } catch {
    return undefined;
  }
}

/** Stores the sign-in and returns the name of the store. */
export function keepSignIn(api: string, signIn: SignIn): string {
  return secretStore().write(api, JSON.stringify(signIn));
}

/**
 * Deletes the stored tokens, and ends the sign-in at the gateway. Returns false when there was no sign-in.
 * @throws CommandFault when the tokens were deleted, but the gateway did not end the sign-in
 */
export async function endSignIn(api: string): Promise<boolean> {
  // Under the lock, because another process may be renewing the tokens, and would store them again.
  return locked(async () => {
    const kept = readSignIn(api);
    if (kept === undefined) return false;
    secretStore().remove(api);
    try {
      await post(api, '/revoke', { token: kept.refresh });
    } catch (error) {
      throw new CommandFault(
        `your sign-in was deleted from this computer, but is not ended at the gateway: ${(error as Error).message}; ` +
          'end it on the page “My MCP clients” of the portal',
        EXIT.unavailable,
      );
    }
    return true;
  });
}

function isGood({ access, expiresAt }: SignIn, refused: string | undefined): boolean {
  return access !== refused && expiresAt - EARLY_MS > Date.now();
}

async function renewed(api: string, { refresh }: SignIn): Promise<SignIn> {
  try {
    const signIn = signInOf(
      await post(api, '/token', { grant_type: 'refresh_token', refresh_token: refresh }),
    );
    keepSignIn(api, signIn);
    return signIn;
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error;
    if (error.code !== 'invalid_grant') throw new CommandFault(error.message, EXIT.unavailable);
    secretStore().remove(api);
    throw new CommandFault(
      'your sign-in has ended: it expired, or was revoked; sign in with: gateway login',
      EXIT.notAllowed,
    );
  }
}
