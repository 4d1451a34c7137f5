import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

export class LoginQuery {
  @ApiPropertyOptional({
    description:
      'URL to which the browser returns with the token: the origin of the API, `http://127.0.0.1:<any port>` or an allowed origin. Default: the Swagger UI.',
    maxLength: 2048,
    example: 'http://127.0.0.1:3587/callback',
  })
  @IsOptional()
  @IsString()
  @MaxLength(2048)
  redirect?: string;

  @ApiPropertyOptional({
    enum: ['1'],
    description:
      '`1`: a sign-in at the portal. The browser returns with a cookie in place of the token, and `redirect` is a page of the portal.',
  })
  @IsOptional()
  @IsIn(['1'])
  portal?: '1';
}

/** Data that a client uses to sign a user in. */
export class LoginView {
  @ApiProperty({ description: 'URL of the identity provider to open in the browser.', format: 'uri' })
  login_url!: string;
}

/** The caller's identity and role. */
export class UserInfoView {
  @ApiProperty({ description: 'Subject identifier (`sub`) of the user.', example: 'admin' })
  id!: string;

  @ApiProperty({ example: 'admin@example.com' })
  email!: string;

  @ApiProperty({ example: 'Ada Admin' })
  name!: string;

  @ApiProperty({
    type: [String],
    description: 'Groups from the identity provider and from admins.',
    example: ['admin'],
  })
  groups!: readonly string[];

  @ApiProperty({ enum: ['admin', 'auditor', 'regular'], description: 'Role, which follows from the groups.' })
  role!: string;

  @ApiProperty({ description: 'Whether the role is `admin`.' })
  is_admin!: boolean;

  @ApiProperty({ enum: ['active'], description: 'Always active: inactive users get status 401.' })
  status!: string;

  @ApiProperty({ enum: ['user', 'machine'] })
  identity_type!: string;

  @ApiProperty({ format: 'uuid' })
  org_id!: string;

  @ApiProperty({ example: 'default' })
  org_name!: string;
}

export class FeaturesView {
  @ApiProperty({ description: 'Whether connections can be opened only by members of their `access_groups`.' })
  access_control!: boolean;

  @ApiProperty({ description: 'Whether access request rules require approval.' })
  review!: boolean;
}

/** The public part of the configuration: how to sign in. */
export class PublicServerInfoView {
  @ApiProperty({ enum: ['oidc'], description: 'How people sign in.' })
  auth_method!: string;

  @ApiProperty({
    description: 'Base URL of the API.',
    format: 'uri',
    example: 'http://127.0.0.1:8009/api',
  })
  api_url!: string;
}

/** The server configuration for signed-in callers. */
export class ServerInfoView extends PublicServerInfoView {
  @ApiProperty({ description: 'Version of the API description.', example: '1.180.0' })
  version!: string;

  @ApiProperty({ description: 'Version of the program.', example: '0.1.0' })
  program_version!: string;

  @ApiProperty({
    description: 'Schema that the program makes and uses: the name of its last migration.',
    example: 'PortalRequests1766995000000',
  })
  schema_version!: string;

  @ApiProperty({
    description:
      'Schema of the database: the last migration that ran there, as it was seen within the last 10 seconds. It differs from `schema_version` while gateways are upgraded.',
    example: 'PortalRequests1766995000000',
  })
  database_schema_version!: string;

  @ApiProperty({ description: 'OpenID Connect issuer.', format: 'uri' })
  idp_issuer!: string;

  @ApiProperty({ example: 'admin' })
  admin_group!: string;

  @ApiProperty({ example: 'auditor' })
  auditor_group!: string;

  @ApiProperty({ type: FeaturesView })
  features!: FeaturesView;
}
