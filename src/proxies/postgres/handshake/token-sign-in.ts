import type { Authenticator } from '../../../gate/ports/authenticator';
import type { Principal } from '../../../kernel/principal';
import { authenticationCleartextPassword } from '../wire/authentication';
import { parsePassword } from '../wire/password-message';
import type { ClientLine } from './client-line';
import { badCredential, malformedStartUp, signInRefusal } from './refusal';
import { takeResponse } from './take-response';
import type { TlsIdentity } from './tls-identity';

/** Tokens with many groups are long. */
const MAX_TOKEN_BYTES = 65_536;
/** RFC 6750, section 2.1. What is not one must not reach the identity provider, as part of a header. */
const BEARER = /^[\w\-.~+/]+=*$/;

/** An IPv4 address may come in the clothes of IPv6. */
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/;

/**
 * Takes a bearer token or an API key as password, in clear text: under TLS, or from this machine.
 * @throws Refusal, AppError, ClientGone
 */
export async function signInWithToken(
  line: ClientLine,
  address: string,
  authenticator: Authenticator,
  tls: TlsIdentity | undefined,
): Promise<Principal> {
  if (!line.isSecure && !LOOPBACK.test(address)) throw needsTls(tls);
  line.send(authenticationCleartextPassword());
  const bearer = parsePassword(await takeResponse(line, MAX_TOKEN_BYTES + 1));
  if (bearer === undefined) throw malformedStartUp('The password message is malformed.');
  if (BEARER.test(bearer)) return authenticator.identify({ bearer, address });
  // No token at all: there is nothing to tell two of them apart by.
  await authenticator.failed({ address, subject: '' });
  throw badCredential();
}

function needsTls(tls: TlsIdentity | undefined): Error {
  return signInRefusal(
    'no_tls',
    '28000',
    'A token as password is taken over TLS only.',
    tls === undefined
      ? 'This gateway has no TLS certificate: use issued credentials, or ask an administrator for one.'
      : 'Connect with sslmode=require, or use issued credentials.',
  );
}
