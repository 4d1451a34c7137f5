import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { ReasonField } from '../../platform/http/dto/fields';

const MAX_REASON = 2_048;

/** Request that puts a session under legal hold, or releases it. */
export class SessionHoldBody {
  @ApiProperty()
  @IsBoolean()
  held!: boolean;

  @ReasonField({
    max: MAX_REASON,
    description: 'Why. Of a release, the audit log alone keeps it. Default: none.',
    example: 'case 2026-117',
  })
  reason?: string | null;
}
