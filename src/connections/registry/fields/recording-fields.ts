import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { RECORDING_MODES, RECORDING_SCOPES } from '../../../gate/ports/target-directory';

/** A hundred years; for longer, use null. */
const MAX_RETENTION_DAYS = 36_500;

export const RECORDING_MODE = {
  type: 'string',
  enum: [...RECORDING_MODES, null],
  nullable: true,
  description:
    'When an event counts as recorded, and is forwarded: `journal` survives a kill of the gateway, `journal+fsync` also a power failure, `store` waits for the database. Null: the setting of the gateway.',
} as const;

export const RETENTION_DAYS = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_RETENTION_DAYS,
  nullable: true,
  description: 'Days for which sessions are kept after their end. Null: forever.',
} as const;

export const RECORD_RESULTS =
  'Whether the result rows for clients of the target’s own protocol are recorded even if no guardrail looks at them; otherwise only their number is. Without effect where `recording` is `input-only`.';

export function RecordResultsField(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'boolean', description: `${RECORD_RESULTS} Default: false.` }),
    IsOptional(),
    IsBoolean(),
  );
}

export function RecordingField(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      enum: RECORDING_SCOPES,
      description:
        '`input-only`: output of the target is screened and delivered, but not recorded. Default: on.',
    }),
    IsOptional(),
    IsString(),
    IsIn(RECORDING_SCOPES),
  );
}

export function RecordingModeField(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...RECORDING_MODE, description: `${RECORDING_MODE.description} Default: null.` }),
    IsOptional(),
    IsString(),
    IsIn(RECORDING_MODES),
  );
}

export function RetentionDaysField(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...RETENTION_DAYS, description: `${RETENTION_DAYS.description} Default: null.` }),
    IsOptional(),
    IsInt(),
    Min(1),
    Max(MAX_RETENTION_DAYS),
  );
}
