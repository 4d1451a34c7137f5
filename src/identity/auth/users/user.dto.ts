import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsEmail, IsIn, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { HasNoNul, NamesField } from '../../../platform/http/dto/fields';
import { IsPartOfName, NameField } from '../../../platform/http/dto/name-fields';
import { PageInfo, PageQuery } from '../../../platform/http/dto/page';
import { AcceptsAndIgnores } from '../../../platform/http/validation.pipe';
import type { User, UserGroup } from './user.entity';

const STATUSES = ['active', 'inactive'] as const;

/** Fields that admins may set. The next sign-in updates the profile and the identity-provider groups. */
@AcceptsAndIgnores(
  'id',
  'user_id',
  'org_id',
  'email',
  'idp_groups',
  'scim_groups',
  'role',
  'created_at',
  'updated_at',
)
export class UserChangeBody {
  @ApiPropertyOptional({ enum: STATUSES, description: 'Status; inactive users have no access.' })
  @IsOptional()
  @IsString()
  @IsIn(STATUSES)
  status?: 'active' | 'inactive';

  @NameField({ description: 'Display name.', optional: true })
  name?: string;

  @NamesField('Manual groups; replaces all of them. Absent: unchanged.', ['dba'])
  groups?: string[];
}

@AcceptsAndIgnores('user_id', 'org_id', 'idp_groups', 'scim_groups', 'role', 'created_at', 'updated_at')
export class UserBody {
  @ApiProperty({
    description: 'Subject identifier (`sub`) at the identity provider.',
    maxLength: 256,
    example: 'auth0|5f7c',
  })
  @IsString()
  @Length(1, 256)
  @HasNoNul()
  id!: string;

  @ApiProperty({ format: 'email', example: 'grace@example.com' })
  @IsString()
  @MaxLength(256)
  @IsEmail()
  email!: string;

  @NameField({ description: 'Display name. Default: the e-mail.', optional: true })
  name?: string;

  @ApiPropertyOptional({ enum: STATUSES, description: 'Default: active.' })
  @IsOptional()
  @IsString()
  @IsIn(STATUSES)
  status?: 'active' | 'inactive';

  @NamesField('Manual groups.', ['dba'])
  groups?: string[];
}

export class UserQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Part of the name, e-mail or subject.', maxLength: 128 })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  @IsPartOfName()
  search?: string;
}

export class UserView {
  @ApiProperty({
    description: 'Subject identifier (`sub`); identifies the user in paths.',
    example: 'auth0|5f7c',
  })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The gateway’s own identifier.' })
  user_id!: string;

  @ApiProperty({ format: 'uuid' })
  org_id!: string;

  @ApiProperty()
  email!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: STATUSES })
  status!: string;

  @ApiProperty({ enum: ['admin', 'auditor', 'regular'] })
  role!: string;

  @ApiProperty({ type: [String], description: 'Manual groups.' })
  groups!: string[];

  @ApiProperty({ type: [String], description: 'Groups from the identity provider at the last sign-in.' })
  idp_groups!: string[];

  @ApiProperty({ type: [String], description: 'Groups from provisioning by SCIM.' })
  scim_groups!: string[];

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: Date;
}

export class UserPage {
  @ApiProperty({ type: [UserView] })
  data!: UserView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

export function userView(user: User, memberships: readonly UserGroup[], role: string): UserView {
  const named = (source: UserGroup['source']) =>
    memberships
      .filter((membership) => membership.source === source)
      .map((membership) => membership.groupName)
      .sort();
  return {
    id: user.subject,
    user_id: user.id,
    org_id: user.orgId,
    email: user.email,
    name: user.name,
    status: user.status,
    role,
    groups: named('manual'),
    idp_groups: named('idp'),
    scim_groups: named('scim'),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}
