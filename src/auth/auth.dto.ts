import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';

export class LoginQuery {
  @ApiPropertyOptional({
    description:
      'Where the browser returns to with the token: the origin of the API, `http://127.0.0.1:<any port>` or an allowed origin. Default: the Swagger UI.',
    maxLength: 2048,
    example: 'http://127.0.0.1:3587/callback',
  })
  @IsOptional()
  @IsString()
  @MaxLength(2048)
  redirect?: string;
}

/** What a client needs to sign a person in. */
export class LoginView {
  @ApiProperty({ description: 'Address of the identity provider to open in the browser.', format: 'uri' })
  login_url!: string;
}

/** The caller, as the gateway sees it. */
export class UserInfoView {
  @ApiProperty({ description: 'Subject identifier (`sub`) of the user.', example: 'admin' })
  id!: string;

  @ApiProperty({ example: 'admin@example.com' })
  email!: string;

  @ApiProperty({ example: 'Ada Admin' })
  name!: string;

  @ApiProperty({
    type: [String],
    description: 'Groups, from the identity provider and set by admins.',
    example: ['admin'],
  })
  groups!: readonly string[];

  @ApiProperty({ enum: ['admin', 'auditor', 'regular'], description: 'Role that follows from the groups.' })
  role!: string;

  @ApiProperty({ description: 'Whether the role is `admin`.' })
  is_admin!: boolean;

  @ApiProperty({ enum: ['active'], description: 'Inactive users get no answer but 401.' })
  status!: string;

  @ApiProperty({ enum: ['user', 'machine'] })
  identity_type!: string;

  @ApiProperty({ format: 'uuid' })
  org_id!: string;

  @ApiProperty({ example: 'default' })
  org_name!: string;
}

export class FeaturesView {
  @ApiProperty({ description: 'Connections are open only to their `access_groups`.' })
  access_control!: boolean;

  @ApiProperty({ description: 'Access request rules ask people for approval.' })
  review!: boolean;
}

/** What anybody may know: how to sign in. */
export class PublicServerInfoView {
  @ApiProperty({ enum: ['oidc'], description: 'How people sign in.' })
  auth_method!: string;

  @ApiProperty({
    description: 'Base address of the API.',
    format: 'uri',
    example: 'http://127.0.0.1:8009/api',
  })
  api_url!: string;
}

/** The current configuration of the server, for those who are signed in. */
export class ServerInfoView extends PublicServerInfoView {
  @ApiProperty({ description: 'Version of the API description.', example: '1.180.0' })
  version!: string;

  @ApiProperty({ description: 'OpenID Connect issuer.', format: 'uri' })
  idp_issuer!: string;

  @ApiProperty({ example: 'admin' })
  admin_group!: string;

  @ApiProperty({ example: 'auditor' })
  auditor_group!: string;

  @ApiProperty({ type: FeaturesView })
  features!: FeaturesView;
}
