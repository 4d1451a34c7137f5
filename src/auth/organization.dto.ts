import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { AcceptsAndIgnores } from '../http/validation.pipe';
import { FeaturesView } from './auth.dto';
import type { Organization } from './organization.entity';

export class FeaturesBody {
  @ApiPropertyOptional({ description: 'Connections are open only to their `access_groups`.' })
  @IsOptional()
  @IsBoolean()
  access_control?: boolean;

  @ApiPropertyOptional({ description: 'Access request rules ask people for approval.', example: true })
  @IsOptional()
  @IsBoolean()
  review?: boolean;
}

/** Absent features stay as they are. */
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

/** The organization as it was changed, with what its author should know. */
export class CheckedOrganizationView extends OrganizationView {
  @ApiProperty({
    type: [String],
    description: 'What the features that are set now silence, or close to all but admins.',
    example: ['3 connections have access_groups that are not enforced: the access control feature is off'],
  })
  warnings!: string[];
}

export function organizationView({ id, name, features }: Organization): OrganizationView {
  return { id, name, features };
}
