import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type {
  AuthContext,
  AuthenticationType,
  KeyboardAuthContext,
  ParsedKey,
  PublicKeyAuthContext,
} from 'ssh2';
import type { Authenticator } from '../../gate/ports/authenticator';
import type { IssuedCredential, IssuedCredentials } from '../../gate/ports/issued-credentials';
import type { PublicKeys } from '../../gate/ports/public-keys';
import { AppError } from '../../kernel/app-error';
import { MAX_TOKEN_BYTES } from '../../kernel/text/token-bytes';
import type { EntryTurns } from '../kit/entry-turns';
import { hangUp } from '../kit/hang-up';
import { mockVerifier } from '../kit/mock-verifier';
import type { TrustedNetworks } from '../kit/trusted-networks';
import { ClientConnection } from './driver/client-connection';
import { clientAddress } from './handshake/client-address';
import { isPasswordOf } from './handshake/password-check';
import { identifyByKey, isOffer } from './key-sign-in';
import { SshRefusal, sshRefusalOf } from './handshake/ssh-refusal';
import { type NamedByUser, readUserName } from './handshake/user-name';
import type { Identity, SignedInSshClient } from './signed-in-client';

export interface SshSignInOptions {
  readonly hostKey: ParsedKey;
  readonly authenticator: Authenticator;
  readonly issued: IssuedCredentials;
  readonly publicKeys: PublicKeys;
  /** Limits how many clients query the database concurrently. */
  readonly turns: EntryTurns;
  readonly mockSecret: Buffer;
  /** Networks of load balancers, whose connections begin with a header with the client's address. */
  readonly proxies: TrustedNetworks;
  /** Aborted with an `SshRefusal` if the client must leave before it is signed in. */
  readonly signal: AbortSignal;
}

/** Methods that a client may use. A password may also be the answer to one question. */
const METHODS: AuthenticationType[] = ['publickey', 'password', 'keyboard-interactive'];
/** Maximum number of wrong passwords and signatures in one connection, as in OpenSSH (`MaxAuthTries`). */
const MAX_WRONG = 6;
/** Maximum number of attempts of all methods in one connection. A client needs two for each of its keys. */
const MAX_ATTEMPTS = 30;
/** Matches a bearer token (RFC 6750, section 2.1). Other texts must not be sent to the identity provider. */
const BEARER = /^[\w\-.~+/]+=*$/;

const log = new Logger('SshSignIn');

/**
 * Handles a client from its first byte until its credentials are accepted. Resolves with undefined if there
 * is no client to serve; the connection is then closed or about to be closed. Never rejects.
 */
export async function signInBySsh(
  socket: Socket,
  options: SshSignInOptions,
): Promise<SignedInSshClient | undefined> {
  const peer = socket.remoteAddress ?? '';
  let address = peer;
  let connection: ClientConnection | undefined;
  const refuse = (refusal: SshRefusal): void => {
    logRefusal(refusal, address, peer);
    if (connection === undefined) hangUp(socket);
    else connection.close();
  };
  const stop = (): void => refuse(sshRefusalOf(options.signal.reason));
  options.signal.addEventListener('abort', stop, { once: true });
  socket.on('error', () => undefined);
  try {
    address = await clientAddress(socket, options.proxies);
    connection = await ClientConnection.begin(socket, options.hostKey);
    if (connection === undefined) return undefined;
    return await new SshSignIn(connection, address, options).run();
  } catch (error) {
    const refusal = sshRefusalOf(error);
    if (refusal.reason === 'left') hangUp(socket);
    else refuse(refusal);
    return undefined;
  } finally {
    options.signal.removeEventListener('abort', stop);
  }
}

/** The attempts of one client. */
class SshSignIn {
  private attempts = 0;
  private wrong = 0;

  constructor(
    private readonly connection: ClientConnection,
    private readonly address: string,
    private readonly options: SshSignInOptions,
  ) {}

  /** @returns undefined if the client left. @throws SshRefusal */
  run(): Promise<SignedInSshClient | undefined> {
    const { connection } = this;
    return new Promise((resolve, reject) => {
      connection.socket.once('close', () => resolve(undefined));
      const answer = async (attempt: AuthContext): Promise<void> => {
        this.attempts += 1;
        if (this.attempts > MAX_ATTEMPTS) throw new SshRefusal('too_many_attempts');
        if (isOffer(attempt)) return attempt.accept();
        const client = await this.decide(attempt);
        if (client === undefined) return attempt.reject(METHODS);
        // The driver answers at once, and the client may open a channel before `accept` returns.
        connection.onAuthenticated(() => resolve(client));
        attempt.accept();
      };
      connection.onAuthentication((attempt) => void answer(attempt).catch(reject));
    });
  }

  /** Decides on one attempt. @throws SshRefusal to disconnect the client */
  private async decide(attempt: AuthContext): Promise<SignedInSshClient | undefined> {
    try {
      const named = readUserName(attempt.username);
      if (attempt.method === 'publickey') return await this.clientOfKey(named, attempt);
      const password = await passwordOf(attempt);
      return password === undefined ? undefined : await this.clientOf(named, password);
    } catch (error) {
      const refusal = sshRefusalOf(error);
      const { reason } = refusal;
      if (reason !== 'bad_credential' && reason !== 'unknown_key') throw refusal;
      // A client offers all of its keys, so a key that nobody registered is no guess.
      if (reason === 'bad_credential') this.wrong += 1;
      logRefusal(refusal, this.address, this.connection.socket.remoteAddress ?? '');
      if (this.wrong >= MAX_WRONG) throw new SshRefusal('too_many_attempts');
      return undefined;
    }
  }

  private async clientOf(named: NamedByUser, password: string): Promise<SignedInSshClient> {
    const common = this.common();
    if (named.kind === 'connection') {
      const identifyAgain = (): Promise<Identity> => this.byToken(password);
      return { ...common, ...(await identifyAgain()), target: named.name, identifyAgain };
    }
    const issued = await this.byPassword(named, password);
    const identifyAgain = async (): Promise<Identity> => identityOf(await this.stillIssued(named.id));
    return { ...common, ...identityOf(issued), target: issued.connectionId, identifyAgain };
  }

  /** Accepts a signature with a registered key. @throws AppError, SshRefusal */
  private async clientOfKey(
    named: NamedByUser,
    signed: PublicKeyAuthContext,
  ): Promise<SignedInSshClient | undefined> {
    if (named.kind !== 'connection') return undefined;
    const identified = await identifyByKey(signed, this.address, this.options);
    return identified && { ...this.common(), ...identified, target: named.name };
  }

  private common(): Pick<SignedInSshClient, 'socket' | 'connection' | 'address' | 'software'> {
    const { connection, address } = this;
    const { socket, software } = connection;
    return { socket, connection, address, software };
  }

  /** Accepts a bearer token or an API key. @throws AppError, SshRefusal */
  private async byToken(bearer: string): Promise<Identity> {
    const { address, options } = this;
    const { authenticator, turns } = options;
    if (!BEARER.test(bearer) || bearer.length > MAX_TOKEN_BYTES) {
      // Counts for the address alone, because the password is not a token that names a subject.
      await authenticator.failed({ address, subject: '' });
      throw new SshRefusal('bad_credential');
    }
    const principal = await turns.run(() => authenticator.identify({ bearer, address }));
    return { principal, credential: null, reason: null, until: null };
  }

  /**
   * Checks the password of an issued credential. An unknown id, and a credential of another connection than
   * the named one, go through the same steps and are refused in the same way.
   * @throws AppError, SshRefusal
   */
  private async byPassword(
    { id, connection }: NamedByUser & { readonly kind: 'credential' },
    password: string,
  ): Promise<IssuedCredential> {
    const { address, options } = this;
    const { authenticator, issued, turns, mockSecret } = options;
    const attempt = { address, subject: id };
    await authenticator.refuseGuesser(attempt);
    const found = await turns.run(() => issued.find(id));
    const isRight = await isPasswordOf(found?.verifier ?? mockVerifier(mockSecret, id), password);
    const isNamed =
      connection === undefined || [found?.connectionName, found?.connectionId].includes(connection);
    if (found !== undefined && isRight && isNamed) return found;
    await authenticator.failed(attempt);
    throw new SshRefusal('bad_credential');
  }

  private async stillIssued(id: string): Promise<IssuedCredential> {
    const found = await this.options.issued.find(id);
    if (found === undefined) throw new AppError('unauthenticated', 'your credentials have ended');
    return found;
  }
}

/** Returns the password of an attempt; undefined if it has none, so that it is refused. */
function passwordOf(attempt: AuthContext): Promise<string | undefined> {
  switch (attempt.method) {
    case 'password':
      return Promise.resolve(attempt.password);
    case 'keyboard-interactive':
      return asked(attempt);
    // A host's word and nothing at all are no credentials of this gateway, and a key is no password.
    case 'publickey':
    case 'hostbased':
    case 'none':
      return Promise.resolve(undefined);
  }
}

function asked(attempt: KeyboardAuthContext): Promise<string | undefined> {
  return new Promise((resolve) => {
    // The driver answers with an error if the client begins another attempt instead.
    const answered = (answers: string[] | Error): void =>
      resolve(Array.isArray(answers) && answers.length === 1 ? answers[0] : undefined);
    attempt.prompt([{ prompt: 'Password: ', echo: false }], answered as (answers: string[]) => void);
  });
}

function identityOf({ id, principal, expiresAt, reason }: IssuedCredential): Identity {
  return { principal, credential: { id }, reason, until: expiresAt };
}

/** Logs a refusal without the user name, which may be a password that was typed into the wrong field. */
function logRefusal({ reason, cause }: SshRefusal, address: string, peer: string): void {
  const details = { address, ...(peer === address ? {} : { proxy: peer }), reason };
  if (reason === 'fault') log.error({ ...details, err: cause }, 'An SSH client could not be signed in');
  else log.log({ ...details, ...(cause === undefined ? {} : { err: cause }) }, 'An SSH client was refused');
}
