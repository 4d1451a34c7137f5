import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { IssuedCredential } from '../../gate/ports/issued-credentials';
import { normalizedName } from '../../kernel/text/names';
import { isQualifiedDatabase } from '../../gate/ports/qualified-database';
import type { TrustedNetworks } from '../kit/trusted-networks';
import { type ClientOrigin, clientOrigin } from './handshake/client-origin';
import { ClientGone, HandshakeConnection } from './handshake/handshake-connection';
import { negotiate } from './handshake/negotiation';
import { type SignInRefusal, signInRefusal, signInRefusalOf } from './handshake/refusal';
import { type ScramSignIn, isCredentialId, signInWithScram } from './handshake/scram-sign-in';
import { type Start, startOf } from './handshake/start';
import { signInWithToken } from './handshake/token-sign-in';
import type { CancelRequest, SignedInClient } from './signed-in-client';
import { errorResponse } from './wire/error-fields';

export interface SignInOptions extends ScramSignIn {
  /**
   * Networks of the load balancers, whose connections begin with a header that contains the client's address.
   */
  readonly proxies: TrustedNetworks;
  /** Aborted with a `SignInRefusal` if the client must leave before it is signed in. */
  readonly signal: AbortSignal;
}

/** A cancel request. The client gets no answer; its connection is closed once the request was handled. */
export interface IncomingCancel extends CancelRequest {
  readonly socket: Socket;
}

const log = new Logger('PostgresSignIn');

/**
 * Handles a client from its first byte until its credentials are accepted. The caller then sends
 * AuthenticationOk. Resolves with undefined if there is no client to serve; the connection is then closed or
 * about to be closed. Never rejects.
 */
export async function signIn(
  socket: Socket,
  options: SignInOptions,
): Promise<SignedInClient | IncomingCancel | undefined> {
  const peer = socket.remoteAddress ?? '';
  let address = peer;
  const line = new HandshakeConnection(socket);
  const refuse = (why: SignInRefusal): void => {
    logRefusal(why, address, peer);
    line.hangUp(why.fields && errorResponse(why.fields));
  };
  const stop = (): void => refuse(signInRefusalOf(options.signal.reason));
  options.signal.addEventListener('abort', stop, { once: true });
  try {
    const origin = await clientOrigin(line, peer, options.proxies);
    ({ address } = origin);
    return await signInOn(line, origin, options);
  } catch (error) {
    if (error instanceof ClientGone) line.hangUp();
    else refuse(signInRefusalOf(error));
    return undefined;
  } finally {
    options.signal.removeEventListener('abort', stop);
  }
}

async function signInOn(
  line: HandshakeConnection,
  origin: ClientOrigin,
  options: SignInOptions,
): Promise<SignedInClient | IncomingCancel> {
  const { address } = origin;
  const opening = await negotiate(line, options.tls);
  if (opening.kind === 'cancel-request') {
    const { processId, key } = opening;
    // A cancel request is valid even if the client has already disconnected.
    return { processId, key, address, socket: line.socket };
  }
  const start = startOf(opening.start);
  const who = await identify(line, start, origin, options);
  const rest = line.handOver();
  const { settings, protocol } = start;
  return { ...who, socket: line.socket, rest, settings, protocol, address };
}

async function identify(
  line: HandshakeConnection,
  { user, database }: Start,
  origin: ClientOrigin,
  options: SignInOptions,
): Promise<Pick<SignedInClient, 'principal' | 'credential' | 'user' | 'database'>> {
  if (!isCredentialId(user)) {
    const principal = await signInWithToken(line, origin, options);
    return { principal, credential: null, user, database: database ?? user };
  }
  const issued = await signInWithScram(line, user, origin.address, options);
  // A database that equals the user name counts as none, because libpq sends the user name if the user enters
  // no database.
  if (database !== undefined && database !== user && !opens(issued, database))
    throw otherDatabase(issued, database);
  const { id, expiresAt, reason, principal, connectionId } = issued;
  return { principal, credential: { id, expiresAt, reason }, user, database: connectionId };
}

/** Whether the text names the credential's connection: by database, name, id, or `database@connection`. */
function opens(
  { connectionId: id, connectionName: name, databaseName }: IssuedCredential,
  named: string,
): boolean {
  if ([name, id].includes(normalizedName(named))) return true;
  if (databaseName === undefined) return false;
  return named === databaseName || isQualifiedDatabase(named, { id, name, database: databaseName });
}

/**
 * Returns the refusal of another database. It may show the names, because the client has proved that it owns
 * the credential.
 */
function otherDatabase({ connectionName, databaseName }: IssuedCredential, named: string): SignInRefusal {
  const own = JSON.stringify(databaseName ?? connectionName);
  return signInRefusal(
    'wrong_connection',
    '3D000',
    `These credentials open the database ${own} of the connection ${connectionName} only, not ${JSON.stringify(named)}.`,
    `Connect to ${own}, also where a client asks for a maintenance database.`,
  );
}

/** Logs a refusal without the user name, which may be a password that was typed into the wrong field. */
function logRefusal({ reason, fields, cause }: SignInRefusal, address: string, peer: string): void {
  const by = peer === address ? {} : { proxy: peer };
  const details = { address, ...by, reason, ...(fields === undefined ? {} : { code: fields.code }) };
  if (reason === 'fault') log.error({ ...details, err: cause }, 'A PostgreSQL client could not be signed in');
  else
    log.log(
      { ...details, ...(cause === undefined ? {} : { err: cause }) },
      'A PostgreSQL client was refused',
    );
}
