import type { Authenticator } from '../../../gate/ports/authenticator';
import type { IssuedCredential, IssuedCredentials } from '../../../gate/ports/issued-credentials';
import {
  authenticationSasl,
  authenticationSaslContinue,
  authenticationSaslFinal,
} from '../wire/authentication';
import { parseSaslInitialResponse } from '../wire/password-message';
import type { EntryTurns } from '../../kit/entry-turns';
import type { HandshakeConnection } from './handshake-connection';
import { mockVerifier } from '../../kit/mock-verifier';
import { badCredential, malformedStartUp } from './refusal';
import { ScramExchange, mechanismsFor } from './scram-exchange';
import { takeResponse } from './take-response';
import type { TlsIdentity } from './tls-identity';

/** Maximum length of a SASL message, as in PostgreSQL. SCRAM messages are always shorter. */
const MAX_SASL_BYTES = 1_024;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a user name has the form of a credential's id. */
export function isCredentialId(user: string): boolean {
  return UUID.test(user);
}

export interface ScramSignIn {
  readonly authenticator: Authenticator;
  readonly issued: IssuedCredentials;
  /** Limits how many clients query the database concurrently. */
  readonly turns: EntryTurns;
  readonly mockSecret: Buffer;
  readonly tls: TlsIdentity | undefined;
}

/**
 * Checks a password against an issued credential. An unknown name goes through the same steps and is refused
 * in the same way.
 * @throws SignInRefusal, AppError, ClientGone
 */
export async function signInWithScram(
  line: HandshakeConnection,
  user: string,
  address: string,
  { authenticator, issued, turns, mockSecret, tls }: ScramSignIn,
): Promise<IssuedCredential> {
  const id = user.toLowerCase();
  const attempt = { address, subject: id };
  await authenticator.refuseGuesser(attempt);
  // Starts the lookup without waiting for it. The client can choose a mechanism meanwhile, because the
  // offered mechanisms do not depend on the name.
  const finding = turns.run(() => issued.find(id));
  finding.catch(() => undefined);
  const endPoint = line.isSecure ? tls?.endPoint : undefined;
  const mechanisms = mechanismsFor(endPoint);

  line.send(authenticationSasl(mechanisms));
  const chosen = parseSaslInitialResponse(await takeResponse(line, MAX_SASL_BYTES));
  if (chosen === undefined) throw malformedStartUp('The choice of a SASL mechanism is malformed.');
  if (!mechanisms.includes(chosen.mechanism))
    throw malformedStartUp('The chosen SASL mechanism was not offered.');
  const credential = await finding;
  const verifier = credential?.verifier ?? mockVerifier(mockSecret, id);
  const exchange = new ScramExchange(chosen.mechanism, verifier, endPoint);
  line.send(authenticationSaslContinue(exchange.begin(chosen.data ?? (await firstAfterAsking(line)))));
  const final = exchange.finish(await takeResponse(line, MAX_SASL_BYTES));
  if (final === undefined || credential === undefined) {
    await authenticator.failed(attempt);
    throw badCredential();
  }
  line.send(authenticationSaslFinal(final));
  return credential;
}

/**
 * Requests the first SCRAM message with an empty challenge, for clients that chose a mechanism without
 * sending it.
 */
async function firstAfterAsking(line: HandshakeConnection): Promise<Buffer> {
  line.send(authenticationSaslContinue(''));
  return takeResponse(line, MAX_SASL_BYTES);
}
