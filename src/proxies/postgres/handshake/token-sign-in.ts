import type { Principal } from '../../../kernel/principal';
import { MAX_TOKEN_BYTES } from '../../../kernel/text/token-bytes';
import type { ClientOrigin } from './client-origin';
import { authenticationCleartextPassword } from '../wire/authentication';
import { parsePassword } from '../wire/password-message';
import type { HandshakeConnection } from './handshake-connection';
import { badCredential, malformedStartUp, signInRefusal } from './refusal';
import type { ScramSignIn } from './scram-sign-in';
import { takeResponse } from './take-response';
import type { TlsIdentity } from './tls-identity';

/**
 * Matches a bearer token (RFC 6750, section 2.1). Any other text must not be sent to the identity provider in
 * a header.
 */
const BEARER = /^[\w\-.~+/]+=*$/;

/**
 * Accepts a bearer token or an API key as a clear-text password, over TLS or from this machine only.
 * @throws SignInRefusal, AppError, ClientGone
 */
export async function signInWithToken(
  line: HandshakeConnection,
  { address, isHere }: ClientOrigin,
  { authenticator, turns, tls }: Pick<ScramSignIn, 'authenticator' | 'turns' | 'tls'>,
): Promise<Principal> {
  if (!line.isSecure && !isHere) throw needsTls(tls);
  line.send(authenticationCleartextPassword());
  const bearer = parsePassword(await takeResponse(line, MAX_TOKEN_BYTES + 1));
  if (bearer === undefined) throw malformedStartUp('The password message is malformed.');
  if (BEARER.test(bearer)) return turns.run(() => authenticator.identify({ bearer, address }));
  // Counts the failed attempt for the address alone, because the password is not a token that names a
  // subject.
  await authenticator.failed({ address, subject: '' });
  throw badCredential();
}

function needsTls(tls: TlsIdentity | undefined): Error {
  return signInRefusal(
    'no_tls',
    '28000',
    'A token as password is accepted over TLS only.',
    tls === undefined
      ? 'This gateway has no TLS certificate. Use issued credentials, or ask an administrator to configure one.'
      : 'Connect with sslmode=require, or use issued credentials.',
  );
}
