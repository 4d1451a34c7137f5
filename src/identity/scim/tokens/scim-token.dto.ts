import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsTime } from '../../../platform/http/dto/fields';
import { NameField } from '../../../platform/http/dto/name-fields';
import { PageInfo } from '../../../platform/http/dto/page';
import { AcceptsAndIgnores } from '../../../platform/http/validation.pipe';
import { SECRET_STATUSES, type SecretStatus, secretStatus } from '../../issued-secrets/secret-status';
import type { ScimToken } from './scim-token.entity';

@AcceptsAndIgnores(
  'id',
  'org_id',
  'token',
  'masked_token',
  'status',
  'created_by',
  'created_at',
  'revoked_at',
)
export class ScimTokenBody {
  @NameField({
    description: 'Name, unique among the tokens that are not revoked.',
    max: 128,
    example: 'entra',
  })
  name!: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When the token expires; in the future, at most two years from now. Null or absent: in one year.',
  })
  @IsOptional()
  @IsTime()
  expires_at?: string | null;
}

/** A token for provisioning by SCIM. */
export class ScimTokenView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  org_id!: string;

  @ApiProperty({ example: 'entra' })
  name!: string;

  @ApiProperty({ description: 'First characters of the token.', example: 'gws_3fK9…' })
  masked_token!: string;

  @ApiProperty({ enum: SECRET_STATUSES })
  status!: SecretStatus;

  @ApiProperty({ description: 'Subject of the admin who created the token.' })
  created_by!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  expires_at!: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revoked_at!: Date | null;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;
}

/** The only answer that contains the token. */
export class CreatedScimTokenView extends ScimTokenView {
  @ApiProperty({
    description: 'The token, to be entered at the identity provider. It is shown only once.',
    example: 'gws_…',
  })
  token!: string;
}

export class ScimTokenPage {
  @ApiProperty({ type: [ScimTokenView] })
  data!: ScimTokenView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

export function scimTokenView(token: ScimToken, now: number): ScimTokenView {
  return {
    id: token.id,
    org_id: token.orgId,
    name: token.name,
    masked_token: `${token.prefix}…`,
    status: secretStatus(token, now),
    created_by: token.createdBy,
    expires_at: token.expiresAt,
    revoked_at: token.revokedAt,
    created_at: token.createdAt,
  };
}
