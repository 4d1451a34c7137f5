import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ScramVerifier } from '../../../gate/ports/issued-credentials';
import { malformedStartUp, signInRefusal } from './refusal';
import { type ClientFirst, parseClientFinal, parseClientFirst } from './scram-messages';

export const SCRAM = 'SCRAM-SHA-256';
export const SCRAM_PLUS = 'SCRAM-SHA-256-PLUS';

const NONCE_BYTES = 18;
const BINDING_FLAG = 'p=tls-server-end-point';

/**
 * Returns the mechanisms to offer, the preferred one first. `endPoint` is the channel binding of the TLS
 * connection.
 */
export function mechanismsFor(endPoint: Buffer | undefined): readonly string[] {
  return endPoint === undefined ? [SCRAM] : [SCRAM_PLUS, SCRAM];
}

/** The server side of SCRAM-SHA-256(-PLUS): RFC 5802, RFC 7677; channel binding: RFC 5929. */
export class ScramExchange {
  private clientFirst: ClientFirst | undefined;
  private serverFirst = '';
  private nonce = '';

  constructor(
    private readonly mechanism: string,
    private readonly verifier: ScramVerifier,
    private readonly endPoint: Buffer | undefined,
    private readonly serverNonce = randomBytes(NONCE_BYTES).toString('base64'),
  ) {}

  /** Reads client-first-message and returns server-first-message. @throws SignInRefusal */
  begin(message: Buffer): string {
    const first = parseClientFirst(message);
    this.checkFlag(first.flag);
    this.clientFirst = first;
    this.nonce = first.nonce + this.serverNonce;
    const { salt, iterations } = this.verifier;
    this.serverFirst = `r=${this.nonce},s=${salt.toString('base64')},i=${iterations}`;
    return this.serverFirst;
  }

  /**
   * Reads client-final-message and returns server-final-message; undefined when the password is wrong.
   * @throws SignInRefusal
   */
  finish(message: Buffer): string | undefined {
    const final = parseClientFinal(message);
    if (this.clientFirst === undefined || final.nonce !== this.nonce)
      throw malformedStartUp('The last SCRAM message does not match the one before.');
    this.checkBinding(final.binding, this.clientFirst.gs2Header);
    const signed = `${this.clientFirst.bare},${this.serverFirst},${final.withoutProof}`;
    const signature = hmac(this.verifier.storedKey, signed);
    const clientKey = final.proof.map((byte, at) => byte ^ (signature[at] ?? 0));
    const storedKey = createHash('sha256').update(clientKey).digest();
    if (!timingSafeEqual(storedKey, this.verifier.storedKey)) return undefined;
    return `v=${hmac(this.verifier.serverKey, signed).toString('base64')}`;
  }

  /**
   * Checks the channel binding flag. `y` means that the client supports channel binding but saw no offer of
   * it. If the gateway did offer it, an attacker in the network removed the offer.
   */
  private checkFlag(flag: string): void {
    if (this.mechanism === SCRAM_PLUS) {
      if (flag !== BINDING_FLAG)
        throw malformedStartUp(`${SCRAM_PLUS} needs the channel binding tls-server-end-point.`);
    } else if (flag !== 'n' && flag !== 'y') {
      throw malformedStartUp(`${SCRAM} has no channel binding.`);
    } else if (flag === 'y' && this.endPoint !== undefined) {
      throw signInRefusal(
        'channel_binding',
        '28000',
        `The client did not see that ${SCRAM_PLUS} is offered. Somebody may have changed the connection on its way.`,
      );
    }
  }

  private checkBinding(binding: string, gs2Header: string): void {
    const data = this.mechanism === SCRAM_PLUS ? this.endPoint : undefined;
    const expected = Buffer.concat([Buffer.from(gs2Header, 'latin1'), data ?? Buffer.alloc(0)]);
    if (binding !== expected.toString('base64'))
      throw signInRefusal(
        'channel_binding',
        '28000',
        'The SCRAM channel binding does not match this connection. Somebody may have changed the connection on its way.',
      );
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'latin1').digest();
}
