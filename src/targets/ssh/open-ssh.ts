import type { Socket } from 'node:net';
import { Client as SshClient, type ClientChannel, type ConnectConfig, utils } from 'ssh2';
import { offeredAlgorithms } from './algorithms';
import { BoundedSocket } from './bounded-socket';
import { SMALL_PACKETS, refuseSmallPackets, signByCertificate } from './driver-parts';
import { fingerprintOf, hostKeys } from './host-keys';
import { isTooShort, publicKeyBits } from './key-length';
import { signInKey } from './sign-in-key';
import { openServer } from './server-socket';
import { SignInMethods, type SignInProof } from './sign-in-methods';
import { SshFault, changedHostKey, missingHostKey, sshFault } from './ssh-faults';
import { withStepLimits } from './step-limit';
import { certifiedKey } from './user-certificate';

/** Time-outs of the steps, in milliseconds. Servers that ask a directory take seconds for a sign-in. */
const REACH_WITHIN_MS = 10_000;
const EXCHANGE_WITHIN_MS = 10_000;
const SIGN_IN_WITHIN_MS = 20_000;
const REQUEST_WITHIN_MS = 15_000;
/** Maximum time that a server may take to close a connection. */
const CLOSE_WITHIN_MS = 1_000;

/** A server that answers none of so many requests, one each interval, is gone. */
const KEEP_ALIVE_INTERVAL_MS = 15_000;
const KEEP_ALIVE_COUNT = 3;

/**
 * The gateway's own identification to servers and clients (RFC 4253, section 4.2), after `SSH-2.0-`.
 *
 * OpenSSH sends the two paths of SSH_FXP_SYMLINK in another order than the draft of SFTP (section 6.10), and
 * most programs do as OpenSSH does. AsyncSSH and libssh do so only if the other side names OpenSSH with a
 * version. The gateway passes paths on in the order of OpenSSH, so it names OpenSSH in the comment: otherwise
 * they would make links the wrong way round. Rules for faults of old versions of OpenSSH ask for its name at
 * the beginning, and do not apply.
 */
export const SSH_IDENTIFICATION = 'AccessGateway OpenSSH_9.2-compatible';

export type SshSecret = Readonly<Record<string, string>>;

/**
 * Connects to a server, checks its host key, and signs in with the secret. The host key is checked again at
 * each later key exchange.
 * @param secret with `AUTH: certificate`, the one that `withCertificate` returned
 * @param options.signal ends the attempt, which rejects with the SshFault `STOPPED`; it has no effect
 * afterwards
 * @throws SshFault, or the error of the system; `serverFault` returns their text for people
 */
export async function openSsh(
  secret: SshSecret,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<OpenSsh> {
  return withStepLimits(signal, async (ended, beginStep) => {
    const proof = await proofOf(secret);
    beginStep(REACH_WITHIN_MS, 'NO_ANSWER');
    const socket = await openServer(secret, ended);
    beginStep(EXCHANGE_WITHIN_MS, 'SLOW_EXCHANGE');
    const signIn = new SignIn(secret, proof, socket);
    return signIn.signedIn(ended, () => beginStep(SIGN_IN_WITHIN_MS, 'SLOW_SIGN_IN'));
  });
}

async function proofOf(secret: SshSecret): Promise<SignInProof> {
  if (secret['AUTH'] === 'certificate') return { certified: certifiedKey(secret) };
  const text = secret['PRIVATE_KEY'] ?? '';
  if (text === '') return { password: secret['PASS'] ?? '' };
  const key = await signInKey(text, secret['PASSPHRASE']);
  if (typeof key === 'string') throw sshFault('KEY_UNUSABLE');
  return { key };
}

/** One attempt to sign in over a socket. */
class SignIn {
  private readonly client = new SshClient();
  private readonly methods: SignInMethods;
  /** Reason why the gateway itself gave up, which the driver cannot know. */
  private fault: SshFault | undefined;
  private isExchanged = false;

  constructor(
    private readonly secret: SshSecret,
    private readonly proof: SignInProof,
    private readonly socket: Socket,
  ) {
    this.methods = new SignInMethods(secret['USER'] ?? '', proof);
  }

  signedIn(ended: AbortSignal, exchanged: () => void): Promise<OpenSsh> {
    return new Promise<OpenSsh>((resolve, reject) => {
      const stop = (): void => failed(ended.reason as SshFault);
      const settled = (): void => ended.removeEventListener('abort', stop);
      const failed = (error: unknown): void => {
        settled();
        reject(error);
        this.socket.destroy();
      };
      ended.addEventListener('abort', stop, { once: true });
      this.client
        .once('handshake', () => {
          this.isExchanged = true;
          exchanged();
        })
        .on('ready', () => {
          settled();
          resolve(new OpenSsh(this.client, this.socket));
        })
        // These listeners stay: an error without a listener would end the process.
        .on('error', (error) => failed(this.faultOf(error)))
        .on('close', () => failed(this.fault ?? sshFault('CLOSED')));
      if (ended.aborted) return stop();
      this.client.connect(this.configuration());
      refuseSmallPackets(this.client);
      if ('certified' in this.proof) signByCertificate(this.client, 'ssh-ed25519');
    });
  }

  private configuration(): ConnectConfig {
    const pinned = hostKeys(this.secret['HOST_KEY'] ?? '');
    return {
      sock: this.socket,
      ident: SSH_IDENTIFICATION,
      username: this.secret['USER'] ?? '',
      algorithms: offeredAlgorithms(pinned.types),
      hostVerifier: (key: Buffer) => {
        this.fault = hostKeyFault(key, pinned.fingerprints);
        return this.fault === undefined;
      },
      authHandler: (left, isPartial) => this.methods.next(left, isPartial),
      keepaliveInterval: KEEP_ALIVE_INTERVAL_MS,
      keepaliveCountMax: KEEP_ALIVE_COUNT,
      // The steps have their own limits.
      readyTimeout: 0,
    };
  }

  private faultOf(error: Error & { level?: string; code?: unknown }): Error {
    if (this.fault !== undefined) return this.fault;
    if (error.level === 'client-socket') return error;
    if (error.level === 'client-authentication') return this.methods.fault;
    if (error.level === 'handshake')
      return sshFault(error.message.includes('no matching') ? 'NO_ALGORITHM' : 'EXCHANGE_FAILED');
    return this.faultOfServer(error);
  }

  /** A number is the reason of a disconnect: after too many failed sign-ins, servers give one. */
  private faultOfServer({ code }: { code?: unknown }): SshFault {
    if (typeof code !== 'number') return sshFault(this.isExchanged ? 'BROKEN' : 'EXCHANGE_FAILED');
    return this.isExchanged ? this.methods.fault : sshFault('CLOSED');
  }
}

function hostKeyFault(key: Buffer, pinned: ReadonlySet<string>): SshFault | undefined {
  const parsed = utils.parseKey(key);
  if (parsed instanceof Error) return sshFault('EXCHANGE_FAILED');
  const fingerprint = fingerprintOf(key);
  if (pinned.size === 0) return missingHostKey(parsed.type, fingerprint);
  if (!pinned.has(fingerprint)) return changedHostKey(parsed.type, fingerprint);
  return isTooShort(publicKeyBits(parsed)) ? sshFault('SHORT_HOST_KEY') : undefined;
}

/** A connection to a server, signed in. */
export class OpenSsh {
  /**
   * Resolves when the connection has ended: with the fault, or with undefined after `close`. Never rejects.
   */
  readonly ended: Promise<SshFault | undefined>;
  private readonly bounds: BoundedSocket;
  private isClosing = false;
  private fault: SshFault | undefined;

  constructor(
    /** The driver. Channels must be opened with `open`. */
    readonly client: SshClient,
    private readonly socket: Socket,
  ) {
    this.bounds = new BoundedSocket(socket, (fault) => this.end(fault));
    client.on('error', (error: Error & { level?: string; code?: unknown }) => {
      this.end(faultOfOpen(error));
    });
    this.ended = new Promise((resolve) => {
      client.on('close', () => {
        resolve(this.isClosing ? this.fault : (this.fault ?? sshFault('CLOSED')));
      });
    });
  }

  /** False once either side has closed the connection, or is closing it. */
  get isOpen(): boolean {
    return !this.isClosing && this.fault === undefined && !this.socket.destroyed && this.socket.writable;
  }

  /** The IP address that was dialed. */
  get address(): string {
    return this.socket.remoteAddress ?? '';
  }

  /** Bounds what waits to be read in a channel that the server opened. */
  bound(channel: ClientChannel): void {
    this.bounds.add(channel);
  }

  /**
   * Opens a channel: `open((opened) => client.exec(command, opened))`. What waits in it to be read is
   * bounded; a server that sends more than it was granted loses the connection.
   * @param taken is called with the channel before anything else can happen to it; default: returns it.
   * Listeners of `exit` and `close` must be added there, because both may arrive together with the answer.
   * @throws SshFault when the server refuses, does not answer within 15 s, or the connection ends
   */
  open<T = ClientChannel>(
    request: (opened: (error: Error | undefined, channel: ClientChannel) => void) => void,
    taken: (channel: ClientChannel) => T = (channel) => channel as T,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      let isAwaited = true;
      const settled = (): void => {
        isAwaited = false;
        clearTimeout(timer);
        this.client.off('close', closed);
      };
      const failed = (fault: SshFault): void => (settled(), reject(fault));
      const closed = (): void => failed(this.fault ?? sshFault(this.isClosing ? 'STOPPED' : 'CLOSED'));
      const timer = setTimeout(() => failed(sshFault('SLOW_REQUEST')), REQUEST_WITHIN_MS);
      this.client.on('close', closed);
      try {
        request((error, channel) => {
          if (error !== undefined) return failed(this.refusalOf(error));
          // The server answered too late.
          if (!isAwaited) return channel.close();
          settled();
          this.bounds.add(channel);
          resolve(taken(channel));
        });
      } catch (error) {
        failed(this.fault ?? sshFault('CLOSED', { cause: error }));
      }
    });
  }

  /**
   * Resolves when little is left to send, or the connection has ended. The driver does not slow writers of a
   * channel down; await this before more is written.
   */
  drained(): Promise<void> {
    return this.bounds.drained();
  }

  /**
   * Disconnects, and closes the socket if the server does not.
   * @param withinMs time for the server to close it
   */
  close(withinMs = CLOSE_WITHIN_MS): void {
    this.isClosing = true;
    try {
      this.client.end();
    } catch {
      // The driver gave the connection up.
    }
    const timer = setTimeout(() => this.socket.destroy(), withinMs);
    void this.ended.then(() => clearTimeout(timer));
  }

  private end(fault: SshFault): void {
    if (!this.isClosing) this.fault ??= fault;
    this.socket.destroy();
  }

  private refusalOf(error: Error & { reason?: unknown }): SshFault {
    if (!this.isOpen) return this.fault ?? sshFault('CLOSED');
    if (error.message.endsWith(SMALL_PACKETS)) return sshFault('SMALL_PACKETS', { cause: error });
    return sshFault(error.reason === undefined ? 'COMMAND_REFUSED' : 'CHANNEL_REFUSED', { cause: error });
  }
}

function faultOfOpen(error: Error & { level?: string; code?: unknown }): SshFault {
  if (error.level === 'client-timeout') return sshFault('SILENT');
  const isClosed = error.level === 'client-socket' || typeof error.code === 'number';
  return sshFault(isClosed ? 'CLOSED' : 'BROKEN', { cause: error });
}
