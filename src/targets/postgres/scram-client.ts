import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import { hmac, scramKeys } from './scram-keys';

const MECHANISM = 'SCRAM-SHA-256';
const NONCE_BYTES = 18;
/**
 * Maximum number of iterations: a higher number would keep a processor busy. PostgreSQL's default is 4 096.
 */
const MAX_ITERATIONS = 100_000;
/** Base64 of `n,,`: no channel binding. */
const NO_BINDING = 'biws';

/** Server-first-message: nonce, salt, iterations [, extensions]. Source: RFC 5802, section 7. */
const SERVER_FIRST =
  /^r=(?<nonce>[\x21-\x2b\x2d-\x7e]+),s=(?<salt>[A-Za-z0-9+/]+={0,2}),i=(?<iterations>[1-9]\d{0,9})(?:,.*)?$/;
const SERVER_FINAL = /^v=(?<signature>[A-Za-z0-9+/]{43}=)(?:,.*)?$/;

/** Type, length and kind of an Authentication message: PostgreSQL documentation, "Message Formats". */
const HEAD_BYTES = 9;
const SASL = 10;
const SASL_CONTINUE = 11;
const SASL_FINAL = 12;
const AUTHENTICATION = 0x52;
const SASL_RESPONSE = 0x70;

/** A fault of SCRAM. Its message begins with `SASL`, as in the driver; `connectionFault` checks for this. */
export class ScramFault extends Error {
  constructor(what: string) {
    super(`SASL: ${what}`);
  }
}

/**
 * The client side of SCRAM-SHA-256 (RFC 5802, RFC 7677) in messages of PostgreSQL. The driver's own client
 * uses the Web Crypto API and derives the keys at each sign-in, which took longer than the rest of a short
 * script.
 */
export class ScramClient {
  private readonly bare: string;
  private isAnswering = false;
  /** Proof that the server must send at the end. Set when the client has computed its own proof. */
  private expected: Buffer | undefined;

  /** @param name ignored by PostgreSQL, which uses the user of the start-up message. */
  constructor(
    private readonly password: string,
    private readonly nonce = randomBytes(NONCE_BYTES).toString('base64'),
    name = '',
  ) {
    this.bare = `n=${name},r=${nonce}`;
  }

  /** Whether `answer` must handle the message, because it belongs to SCRAM. */
  isFor(message: Buffer): boolean {
    if (message[0] !== AUTHENTICATION || message.length < HEAD_BYTES) return false;
    const kind = message.readInt32BE(HEAD_BYTES - 4);
    if (kind === SASL) return message.toString('latin1', HEAD_BYTES).split('\0').includes(MECHANISM);
    return kind === SASL_CONTINUE || kind === SASL_FINAL;
  }

  /**
   * Returns the message to send; undefined for none. Checks the server's proof synchronously, because the
   * next message may be in the same packet.
   * @throws ScramFault (or rejects) when the server does not follow the protocol, or cannot prove that it
   * knows the password.
   */
  answer(message: Buffer): MaybePromise<Buffer | undefined> {
    const kind = message.readInt32BE(HEAD_BYTES - 4);
    if (kind === SASL) return this.initialResponse();
    const text = message.toString('latin1', HEAD_BYTES);
    if (kind === SASL_CONTINUE)
      return this.final(text).then((final) => response(Buffer.from(final, 'latin1')));
    this.check(text);
    return undefined;
  }

  /** Returns the client-final-message for a server-first-message. */
  async final(serverFirst: string): Promise<string> {
    if (this.isAnswering) throw new ScramFault('the server repeats its first message');
    this.isAnswering = true;
    const { nonce = '', salt = '', iterations = '' } = SERVER_FIRST.exec(serverFirst)?.groups ?? {};
    if (nonce === '') throw new ScramFault('the first message of the server is malformed');
    if (!nonce.startsWith(this.nonce) || nonce.length === this.nonce.length)
      throw new ScramFault('the nonce of the server does not continue that of the client');
    if (Number(iterations) > MAX_ITERATIONS) throw new ScramFault('the server demands too many iterations');
    if (this.password === '') throw new ScramFault('there is no password');
    const salted = Buffer.from(salt, 'base64');
    const { clientKey, storedKey, serverKey } = await scramKeys(this.password, salted, Number(iterations));
    const withoutProof = `c=${NO_BINDING},r=${nonce}`;
    const signed = `${this.bare},${serverFirst},${withoutProof}`;
    const signature = hmac(storedKey, signed);
    this.expected = hmac(serverKey, signed);
    const proof = Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] ?? 0)));
    return `${withoutProof},p=${proof.toString('base64')}`;
  }

  /** Checks the server's proof in a server-final-message. An impostor without the password has no proof. */
  check(serverFinal: string): void {
    const { signature = '' } = SERVER_FINAL.exec(serverFinal)?.groups ?? {};
    const given = Buffer.from(signature, 'base64');
    const { expected } = this;
    if (expected === undefined || given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new ScramFault('the server could not prove that it knows the password');
  }

  private initialResponse(): Buffer {
    const first = Buffer.from(`n,,${this.bare}`, 'latin1');
    const length = Buffer.alloc(4);
    length.writeInt32BE(first.length);
    return response(Buffer.concat([Buffer.from(`${MECHANISM}\0`, 'latin1'), length, first]));
  }
}

/** Returns a SASLInitialResponse or a SASLResponse, which have the same message type. */
function response(body: Buffer): Buffer {
  const message = Buffer.alloc(5 + body.length);
  message[0] = SASL_RESPONSE;
  message.writeInt32BE(4 + body.length, 1);
  body.copy(message, 5);
  return message;
}
