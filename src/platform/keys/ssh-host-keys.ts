import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { freshHostKey } from './fresh-host-key';
import { SecretBox } from './secret-box';

/** The only type of host key. All clients that still get security fixes know it. */
const TYPE = 'ssh-ed25519';

interface StoredHostKey {
  readonly id: string;
  readonly type: string;
  readonly secret: Buffer;
  /** Public half in base64, as in a line of known_hosts. */
  readonly public_key: string;
}

/** The public half of a host key. */
export interface SshHostKey {
  readonly type: string;
  /** The key in base64, as in a line of known_hosts. */
  readonly publicKey: string;
  /** SHA-256 of the key, as `ssh` shows it: `SHA256:…`. */
  readonly fingerprint: string;
}

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
    const { id, secret } = (await this.stored()) ?? (await this.create());
    const { KEY } = this.box.open(secret, sshHostKeyContext({ id }));
    if (KEY === undefined) throw new Error('the sealed host key has no KEY');
    return KEY;
  }

  /** Returns the public halves; none if no gateway of this database has ever listened for SSH clients. */
  async published(): Promise<SshHostKey[]> {
    const stored = await this.stored();
    if (stored === undefined) return [];
    const { type, public_key: publicKey } = stored;
    const hash = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64');
    return [{ type, publicKey, fingerprint: `SHA256:${hash.replace(/=+$/, '')}` }];
  }

  private async stored(): Promise<StoredHostKey | undefined> {
    const [row] = await this.database.query<StoredHostKey[]>(
      'SELECT id, type, secret, public_key FROM ssh_host_keys WHERE type = $1',
      [TYPE],
    );
    return row;
  }

  /** Stores a new key, unless another gateway has stored one meanwhile. */
  private async create(): Promise<StoredHostKey> {
    const id = randomUUID();
    const { key, publicKey } = freshHostKey();
    const secret = this.box.seal({ KEY: key }, sshHostKeyContext({ id }));
    await this.database.query(
      'INSERT INTO ssh_host_keys (id, type, secret, public_key) VALUES ($1, $2, $3, $4) ON CONFLICT (type) DO NOTHING',
      [id, TYPE, secret, publicKey],
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
export function knownHostsLine(host: string, port: number, { type, publicKey }: SshHostKey): string {
  const name = port === 22 ? host : `[${host}]:${port}`;
  return `${name} ${type} ${publicKey}`;
}
