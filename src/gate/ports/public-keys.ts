import type { Principal } from '../../kernel/principal';

/** The person to whom a registered public key belongs. */
export interface KeyOwner {
  /** The owner with the current role and groups. `publicKeyId` is the key's id. */
  readonly principal: Principal;
  /** When the key expires; null: never. */
  readonly expiresAt: Date | null;
}

/** Port: finds the owners of public keys that people registered. */
export abstract class PublicKeys {
  /**
   * Notes that the key was used. The caller must have checked that the client has the private key.
   * @param blob the key in the wire format (RFC 4253, section 6.6)
   * @returns undefined if nobody registered the key, it has expired, or its owner may no longer act
   */
  abstract use(blob: Buffer): Promise<KeyOwner | undefined>;
}
