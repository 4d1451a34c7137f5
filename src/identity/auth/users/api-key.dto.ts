import { ApiProperty } from '@nestjs/swagger';
import { NamesField } from '../../../platform/http/dto/fields';
import { NameField } from '../../../platform/http/dto/name-fields';
import { PageInfo } from '../../../platform/http/dto/page';
import { AcceptsAndIgnores } from '../../../platform/http/validation.pipe';
import { KeyExpiryField } from '../../issued-secrets/key-expiry-field';
import { SECRET_STATUSES, type SecretStatus, secretStatus } from '../../issued-secrets/secret-status';
import type { ApiKey } from './api-key.entity';

@AcceptsAndIgnores('id', 'org_id', 'key', 'masked_key', 'status', 'created_by', 'created_at', 'revoked_at')
export class ApiKeyBody {
  @NameField({
    description: 'Name, unique among the keys that are not revoked.',
    max: 128,
    example: 'nightly-report',
  })
  name!: string;

  @NamesField('Groups of the machine. They decide its role and which connections it may open.', ['reporting'])
  groups?: string[];

  @KeyExpiryField()
  expires_at?: string | null;
}

export class ApiKeyView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  org_id!: string;

  @ApiProperty({ example: 'nightly-report' })
  name!: string;

  @ApiProperty({ description: 'First characters of the key.', example: 'gwk_3fK9…' })
  masked_key!: string;

  @ApiProperty({ type: [String] })
  groups!: string[];

  @ApiProperty({ enum: SECRET_STATUSES })
  status!: SecretStatus;

  @ApiProperty({ description: 'Subject of the admin who created the key.' })
  created_by!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expires_at!: Date | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revoked_at!: Date | null;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;
}

/** The only answer that contains the key. */
export class CreatedApiKeyView extends ApiKeyView {
  @ApiProperty({
    description: 'The key, to be sent as a bearer token. It is shown only once.',
    example: 'gwk_…',
  })
  key!: string;
}

export class ApiKeyPage {
  @ApiProperty({ type: [ApiKeyView] })
  data!: ApiKeyView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

export function apiKeyView(key: ApiKey, now: number): ApiKeyView {
  return {
    id: key.id,
    org_id: key.orgId,
    name: key.name,
    masked_key: `${key.prefix}…`,
    groups: key.groups,
    status: secretStatus(key, now),
    created_by: key.createdBy,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    created_at: key.createdAt,
  };
}
