import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { AcceptsAndIgnores } from '../../../platform/http/validation.pipe';
import { FeaturesView } from './auth.dto';
import type { Organization } from './organization.entity';

export class FeaturesBody {
  @ApiPropertyOptional({
    description: 'Whether connections can be opened only by members of their `access_groups`.',
  })
  @IsOptional()
  @IsBoolean()
  access_control?: boolean;

  @ApiPropertyOptional({ description: 'Whether access request rules require approval.', example: true })
  @IsOptional()
  @IsBoolean()
  review?: boolean;
}

/** Changes to an organization. Absent features stay unchanged. */
@AcceptsAndIgnores('id', 'name', 'created_at', 'warnings')
export class OrganizationBody {
  @ApiProperty({ type: FeaturesBody })
  @IsObject()
  @ValidateNested()
  @Type(() => FeaturesBody)
  features!: FeaturesBody;
}

export class OrganizationView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'default' })
  name!: string;

  @ApiProperty({ type: FeaturesView })
  features!: FeaturesView;
}

/** The changed organization, with warnings for its author. */
export class CheckedOrganizationView extends OrganizationView {
  @ApiProperty({
    type: [String],
    description: 'What has no effect with these features, or is closed to all but admins.',
    example: ['3 connections have access_groups that are not enforced: the access control feature is off'],
  })
  warnings!: string[];
}

export function organizationView({ id, name, features }: Organization): OrganizationView {
  return { id, name, features };
}
