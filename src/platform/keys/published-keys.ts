import type { KeyObject } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SealingSettings } from '../config/groups';
import { KeyRing } from './key-ring';
import { isSigned, publicKeyFrom, publicPartOf, sign, signingKeyOf } from './signature';

/**
 * A stored public key with its endorsement, a signature by which another key of the gateway vouches for it.
 */
interface Published {
  readonly key_id: string;
  /** Raw key in base64url. */
  readonly public_key: string;
  readonly endorsed_by: string;
  readonly endorsement: Buffer;
  readonly created_at: Date;
}

/** A key with which signatures can be verified. */
export interface EvidenceKey {
  readonly id: string;
  readonly publicKey: KeyObject;
  /** Raw public key in base64url. */
  readonly x: string;
}

export type EvidenceKeys = ReadonlyMap<string, EvidenceKey>;

interface Signer {
  readonly id: string;
  readonly key: KeyObject;
  readonly x: string;
}

/**
 * The public keys that verify evidence: one for each key of `SECRET_KEY`, and one for each earlier key.
 *
 * Anybody who can write to the database can add a key. So a stored key is trusted only with an endorsement,
 * which is a signature by one of the keys in `SECRET_KEY`. At its start, a gateway endorses all trusted keys
 * with its first key. So evidence that an old key signed can be verified after the old key was removed.
 */
@Injectable()
export class PublishedKeys implements OnApplicationBootstrap {
  private readonly log = new Logger(PublishedKeys.name);
  private readonly signers: readonly Signer[];

  constructor(
    private readonly database: DataSource,
    settings: SealingSettings,
  ) {
    this.signers = new KeyRing(settings.keys).all.map(({ id, key }) => {
      const signingKey = signingKeyOf(key);
      return { id, key: signingKey, x: publicPartOf(signingKey) };
    });
  }

  /** The key that signs. */
  get current(): Signer {
    const [current] = this.signers;
    if (current === undefined) throw new Error('there is no secret key');
    return current;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.publish();
  }

  /** Stores the public halves of the keys in `SECRET_KEY`, and endorses all trusted keys with the first. */
  async publish(): Promise<void> {
    const { id: by, key } = this.current;
    const trusted = await this.load();
    for (const { id, x } of trusted.values()) {
      const endorsement = await sign('public key', endorsed(id, x), key);
      await this.database.query(
        `INSERT INTO evidence_keys (key_id, public_key, endorsed_by, endorsement) VALUES ($1, $2, $3, $4)
         ON CONFLICT (key_id) DO UPDATE SET public_key = $2, endorsed_by = $3, endorsement = $4
         WHERE evidence_keys.endorsed_by <> $3 OR evidence_keys.public_key <> $2`,
        [id, x, by, endorsement],
      );
    }
  }

  /** Returns all trusted keys: those of `SECRET_KEY`, and the stored keys that they endorsed. */
  async load(): Promise<EvidenceKeys> {
    const keys = new Map<string, EvidenceKey>();
    for (const { id, x } of this.signers) keys.set(id, { id, x, publicKey: publicKeyFrom(x) });
    const stored = await this.database.query<Published[]>('SELECT * FROM evidence_keys ORDER BY created_at');
    for (const row of stored) {
      if (keys.has(row.key_id)) continue;
      if (await this.isEndorsed(row))
        keys.set(row.key_id, { id: row.key_id, x: row.public_key, publicKey: publicKeyFrom(row.public_key) });
      else this.log.warn(`The public key ${row.key_id} is ignored: no key in SECRET_KEY endorsed it`);
    }
    return keys;
  }

  private async isEndorsed({ key_id, public_key, endorsed_by, endorsement }: Published): Promise<boolean> {
    const endorser = this.signers.find(({ id }) => id === endorsed_by);
    if (endorser === undefined) return false;
    return isSigned('public key', endorsed(key_id, public_key), endorsement, publicKeyFrom(endorser.x)).catch(
      () => false,
    );
  }
}

function endorsed(keyId: string, x: string): Buffer {
  return Buffer.from(`${keyId}:${x}`);
}
