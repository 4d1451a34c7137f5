import { ApiProperty } from '@nestjs/swagger';
import { IsString, MinLength } from 'class-validator';
import { HasNoNul, MaxTextLength } from '../../../platform/http/dto/fields';
import { NameField } from '../../../platform/http/dto/name-fields';
import { PageInfo } from '../../../platform/http/dto/page';
import { AcceptsAndIgnores } from '../../../platform/http/validation.pipe';
import {
  SSH_KEY_TYPES,
  type SshKeyType,
  readSshKeyBlob,
  sshFingerprint,
} from '../../../platform/keys/ssh-public-key';
import { KeyExpiryField } from '../../issued-secrets/key-expiry-field';
import type { SshPublicKeyRow } from './ssh-public-key.entity';

/** Larger than the line of a key of 16 384 bits, and than a private key that is pasted by mistake. */
const MAX_LINE = 20_000;

@AcceptsAndIgnores('id', 'type', 'bits', 'fingerprint', 'status', 'user', 'created_at', 'last_used_at')
export class SshPublicKeyBody {
  @NameField({ description: 'Name, unique among the keys of the user.', max: 128, example: 'laptop' })
  name!: string;

  @ApiProperty({
    description:
      'The public key: the line of a `.pub` file of OpenSSH. Its comment is not stored. Types: ed25519, ecdsa, and rsa from 2048 bits.',
    minLength: 1,
    maxLength: MAX_LINE,
    example: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f',
  })
  @IsString()
  @MinLength(1)
  @MaxTextLength(MAX_LINE)
  @HasNoNul()
  public_key!: string;

  @KeyExpiryField()
  expires_at?: string | null;
}

const KEY_STATUSES = ['active', 'expired'] as const;

export class SshPublicKeyView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'laptop' })
  name!: string;

  @ApiProperty({ enum: SSH_KEY_TYPES })
  type!: SshKeyType;

  @ApiProperty({ description: 'Size of the key.', example: 256 })
  bits!: number;

  @ApiProperty({
    description: 'SHA-256 of the key, as `ssh-keygen -l` shows it.',
    example: 'SHA256:ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA',
  })
  fingerprint!: string;

  @ApiProperty({ enum: KEY_STATUSES })
  status!: (typeof KEY_STATUSES)[number];

  @ApiProperty({ description: 'Subject identifier of the user.' })
  user!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expires_at!: Date | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the key was last used, to the minute; null: never.',
  })
  last_used_at!: Date | null;
}

export class SshPublicKeyPage {
  @ApiProperty({ type: [SshPublicKeyView] })
  data!: SshPublicKeyView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

/** @param user subject of the owner. @param now milliseconds since 1970 */
export function sshPublicKeyView(row: SshPublicKeyRow, user: string, now: number): SshPublicKeyView {
  const key = readSshKeyBlob(row.publicKey);
  if (key.kind === 'refused') throw new Error(`the stored public key ${row.id}: ${key.message}`);
  const isExpired = row.expiresAt !== null && row.expiresAt.getTime() <= now;
  return {
    id: row.id,
    name: row.name,
    type: key.type,
    bits: key.bits,
    fingerprint: sshFingerprint(row.digest),
    status: isExpired ? 'expired' : 'active',
    user,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
  };
}
