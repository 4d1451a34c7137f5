import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';
import { HasNoNul } from '../http/fields';

const MAX_REASON = 2_048;

/** Whether a session is under legal hold. */
export class SessionHoldBody {
  @ApiProperty()
  @IsBoolean()
  held!: boolean;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: MAX_REASON,
    description: 'Why. Of a release, the audit log alone keeps it. Default: none.',
    example: 'case 2026-117',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_REASON)
  @HasNoNul()
  reason?: string | null;
}
