import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SecretBox } from './secret-box';
import { type StoredSshKey, openedSshKey, publicSshKey, sealedSshKey } from './sealed-ssh-key';

interface StoredUserCa extends StoredSshKey {
  readonly generation: number;
}

/** Result of a step of a rotation: the fingerprints of the stored keys, the signing one first. */
export type RotationStep =
  | { readonly kind: 'done'; readonly fingerprints: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** Notes a step of a rotation. */
export type NoteRotation = (db: EntityManager, fingerprints: readonly string[]) => Promise<void>;

/**
 * The user CA: the key that signs certificates with which the gateway signs in at SSH servers. All gateways
 * of one database have the same key, stored encrypted by `SECRET_KEY`. The first gateway that needs it
 * creates it. During a rotation there are two keys: the older one signs, and servers get to know the newer
 * one.
 */
@Injectable()
export class SshUserCa {
  constructor(
    private readonly database: DataSource,
    private readonly box: SecretBox,
  ) {}

  /** Returns the private key that signs, in OpenSSH's format. @throws UnknownSecretKey */
  async privateKey(): Promise<string> {
    const [signing] = await this.keys();
    return openedSshKey(this.box, signing, sshUserCaContext);
  }

  /** Returns the private key that signs, if there is one yet; creates none. @throws UnknownSecretKey */
  async privateKeyIfAny(): Promise<string | undefined> {
    const [signing] = await this.stored();
    return signing && openedSshKey(this.box, signing, sshUserCaContext);
  }

  /** Returns a line for each key, as the file of `TrustedUserCAKeys` has them: sshd_config(5). */
  async publicLines(): Promise<string[]> {
    const keys = await this.keys();
    return keys.map(({ type, public_key: key }) => `${type} ${key} access-gateway user CA`);
  }

  /**
   * Adds a key that servers get to know before it signs.
   * @param note notes the step in the same transaction, with the fingerprints of all keys
   */
  async beginRotation(note: NoteRotation): Promise<RotationStep> {
    const keys = await this.keys();
    if (keys.length > 1) return { kind: 'refused', reason: 'A rotation has begun already.' };
    return this.step(note, (db) => this.insert(keys[0].generation + 1, db));
  }

  /** Removes the older of two keys. The newer one signs from now on. @param note as in `beginRotation` */
  async finishRotation(note: NoteRotation): Promise<RotationStep> {
    const [oldest, next] = await this.stored();
    if (oldest === undefined || next === undefined)
      return { kind: 'refused', reason: 'No rotation has begun.' };
    return this.step(note, async (db) => {
      await db.query('DELETE FROM ssh_user_ca_keys WHERE id = $1', [oldest.id]);
      return this.stored(db);
    });
  }

  private step(
    note: NoteRotation,
    change: (db: EntityManager) => Promise<StoredUserCa[]>,
  ): Promise<RotationStep> {
    return this.database.transaction(async (db) => {
      const fingerprints = (await change(db)).map((key) => publicSshKey(key).fingerprint);
      await note(db, fingerprints);
      return { kind: 'done', fingerprints };
    });
  }

  private async keys(): Promise<readonly [StoredUserCa, ...StoredUserCa[]]> {
    const [first, ...others] = await this.stored();
    if (first !== undefined) return [first, ...others];
    const [created] = await this.insert(1);
    if (created === undefined) throw new Error('the user CA was not stored');
    return [created];
  }

  private stored(db: EntityManager | DataSource = this.database): Promise<StoredUserCa[]> {
    return db.query<StoredUserCa[]>(
      'SELECT id, generation, type, secret, public_key FROM ssh_user_ca_keys ORDER BY generation',
    );
  }

  /**
   * Stores a new key, unless another gateway has stored one meanwhile: one of this generation or, for the
   * first, any. Returns all keys.
   */
  private async insert(
    generation: number,
    db: EntityManager | DataSource = this.database,
  ): Promise<StoredUserCa[]> {
    const { id, type, secret, public_key: publicKey } = sealedSshKey(this.box, sshUserCaContext);
    await db.query(
      `INSERT INTO ssh_user_ca_keys (id, generation, type, secret, public_key)
       SELECT $1, $2, $3, $4, $5 WHERE $2 > 1 OR NOT EXISTS (SELECT FROM ssh_user_ca_keys)
       ON CONFLICT (generation) DO NOTHING`,
      [id, generation, type, secret, publicKey],
    );
    return this.stored(db);
  }
}

/** Additional authenticated data, so that a key copied into another row cannot be decrypted there. */
export function sshUserCaContext({ id }: { readonly id: string }): string {
  return `ssh-user-ca:${id}`;
}
