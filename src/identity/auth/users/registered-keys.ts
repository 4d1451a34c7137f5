import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, Repository } from 'typeorm';
import { type KeyOwner, PublicKeys } from '../../../gate/ports/public-keys';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import { sshKeyDigest } from '../../../platform/keys/ssh-public-key';
import { UsersService } from './users.service';
import { SshPublicKeyRow } from './ssh-public-key.entity';

/** Finds people by their public keys. Reads without a cache, so that a removal has effect at once. */
@Injectable()
export class RegisteredKeys extends PublicKeys {
  constructor(
    @InjectRepository(SshPublicKeyRow) private readonly rows: Repository<SshPublicKeyRow>,
    private readonly users: UsersService,
    private readonly feed: ChangeFeed,
  ) {
    super();
  }

  async use(blob: Buffer): Promise<KeyOwner | undefined> {
    try {
      const { id, expiresAt, principal } = await this.owned({ digest: sshKeyDigest(blob) });
      // At most once a minute, because each command of a client comes here.
      await this.rows.query(
        `UPDATE ssh_public_keys SET last_used_at = now()
         WHERE id = $1 AND coalesce(last_used_at, '-infinity') < now() - interval '1 minute'`,
        [id],
      );
      return { principal, expiresAt };
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') return undefined;
      throw error;
    }
  }

  /**
   * Returns the owner of a key in the current state.
   * @throws AppError `unauthenticated` if the key was removed or has expired, or the owner may no longer act
   */
  async principal(id: string): Promise<Principal> {
    return (await this.owned({ id })).principal;
  }

  private async owned(
    which: FindOptionsWhere<SshPublicKeyRow>,
  ): Promise<SshPublicKeyRow & { readonly principal: Principal }> {
    const row = await this.rows.findOneBy(which);
    if (row === null) throw new AppError('unauthenticated', 'the public key was removed');
    // By the clock of the database, by which a session also ends with its key.
    if (row.expiresAt !== null && row.expiresAt.getTime() <= this.feed.databaseNow())
      throw new AppError('unauthenticated', 'the public key has expired');
    const principal = await this.users.principal(row.userId);
    return { ...row, principal: { ...principal, publicKeyId: row.id } };
  }
}
