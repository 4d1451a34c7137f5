import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SecretBox } from './secret-box';
import {
  type PublicSshKey,
  SSH_KEY_TYPE,
  type StoredSshKey,
  openedSshKey,
  publicSshKey,
  sealedSshKey,
} from './sealed-ssh-key';

/**
 * The key by which SSH clients recognize the gateway. All gateways of one database have the same key. It is
 * stored encrypted by `SECRET_KEY`, and stays the same when `SECRET_KEY` is rotated.
 */
@Injectable()
export class SshHostKeys {
  constructor(
    private readonly database: DataSource,
    private readonly box: SecretBox,
  ) {}

  /**
   * Returns the private key in OpenSSH's format. The first gateway of a database creates it.
   * @throws UnknownSecretKey
   */
  async privateKey(): Promise<string> {
    return openedSshKey(this.box, (await this.stored()) ?? (await this.create()), sshHostKeyContext);
  }

  /** Returns the public halves; none if no gateway of this database has ever listened for SSH clients. */
  async published(): Promise<PublicSshKey[]> {
    const stored = await this.stored();
    return stored === undefined ? [] : [publicSshKey(stored)];
  }

  private async stored(): Promise<StoredSshKey | undefined> {
    const [row] = await this.database.query<StoredSshKey[]>(
      'SELECT id, type, secret, public_key FROM ssh_host_keys WHERE type = $1',
      [SSH_KEY_TYPE],
    );
    return row;
  }

  /** Stores a new key, unless another gateway has stored one meanwhile. */
  private async create(): Promise<StoredSshKey> {
    const { id, type, secret, public_key: publicKey } = sealedSshKey(this.box, sshHostKeyContext);
    await this.database.query(
      'INSERT INTO ssh_host_keys (id, type, secret, public_key) VALUES ($1, $2, $3, $4) ON CONFLICT (type) DO NOTHING',
      [id, type, secret, publicKey],
    );
    const stored = await this.stored();
    if (stored === undefined) throw new Error('the host key was not stored');
    return stored;
  }
}

/** Additional authenticated data, so that a key copied into another row cannot be decrypted there. */
export function sshHostKeyContext({ id }: { readonly id: string }): string {
  return `ssh-host-key:${id}`;
}

/** Returns a line of known_hosts. A port other than 22 is part of the name (sshd(8), "known_hosts"). */
export function knownHostsLine(host: string, port: number, { type, publicKey }: PublicSshKey): string {
  const name = port === 22 ? host : `[${host}]:${port}`;
  return `${name} ${type} ${publicKey}`;
}
