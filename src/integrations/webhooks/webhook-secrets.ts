import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/keys/secret-box';
import { AppError } from '../../kernel/app-error';
import { Clock } from '../../kernel/async/clock';

/** Form and size of secrets: Standard Webhooks 1.0, "Signature scheme", symmetric, 24–64 bytes. */
const PREFIX = 'whsec_';
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const NEW_BYTES = 32;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Time after a rotation during which both keys sign, so that receivers can change to the new key. */
const BOTH_FOR_MS = 24 * 3_600_000;

interface Owner {
  readonly orgId: string;
  readonly id: string;
}

/**
 * Signing secrets of webhooks. They are stored encrypted, like the secrets of connections, and bound to the
 * row of the webhook.
 */
@Injectable()
export class WebhookSecrets {
  constructor(
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  seal(owner: Owner, secret: string): Buffer {
    return this.box.seal({ SECRET: secret }, webhookSecretContext(owner));
  }

  /**
   * Adds a new secret. The current secret continues to sign until `until`. If no key in SECRET_KEY opens the
   * current secret, the new secret replaces it at once, which repairs the webhook.
   */
  rotate(owner: Owner, sealed: Buffer, secret: string): { sealed: Buffer; until: Date } {
    const previous = this.opened(owner, sealed);
    if (previous === undefined)
      return { sealed: this.seal(owner, secret), until: new Date(this.clock.now()) };
    const until = new Date(this.clock.now() + BOTH_FOR_MS);
    const both = { SECRET: secret, PREVIOUS: previous, PREVIOUS_UNTIL: until.toISOString() };
    return { sealed: this.box.seal(both, webhookSecretContext(owner)), until };
  }

  /** Returns the keys that sign now, the newest first. @throws when no key in SECRET_KEY opens `sealed`. */
  keys(owner: Owner, sealed: Buffer): Buffer[] {
    const { SECRET, PREVIOUS, PREVIOUS_UNTIL } = this.box.open(sealed, webhookSecretContext(owner));
    const isBoth = PREVIOUS_UNTIL !== undefined && Date.parse(PREVIOUS_UNTIL) > this.clock.now();
    return [SECRET, isBoth ? PREVIOUS : undefined].filter((it) => it !== undefined).map(keyOf);
  }

  /** Whether `secret` is the webhook's current secret. */
  isIts(owner: Owner, sealed: Buffer, secret: string): boolean {
    const [its, given] = [this.opened(owner, sealed) ?? '', secret].map((text) =>
      createHash('sha256').update(text).digest(),
    ) as [Buffer, Buffer];
    return timingSafeEqual(its, given);
  }

  private opened(owner: Owner, sealed: Buffer): string | undefined {
    try {
      return this.box.open(sealed, webhookSecretContext(owner))['SECRET'];
    } catch {
      return undefined;
    }
  }
}

/**
 * The given secret, or a new random one.
 * @throws AppError `unprocessable` for a secret in another format.
 */
export function secretFrom(given: string | undefined): string {
  if (given === undefined) return PREFIX + randomBytes(NEW_BYTES).toString('base64');
  const { length } = keyOf(given);
  const isGood =
    given.startsWith(PREFIX) &&
    BASE64.test(given.slice(PREFIX.length)) &&
    length >= MIN_BYTES &&
    length <= MAX_BYTES;
  if (isGood) return given;
  throw new AppError(
    'unprocessable',
    `secret must be whsec_ followed by the base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes`,
  );
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/** Additional authenticated data, so that a secret copied into another row cannot be decrypted there. */
export function webhookSecretContext({ orgId, id }: Owner): string {
  return `webhook:${orgId}:${id}`;
}
