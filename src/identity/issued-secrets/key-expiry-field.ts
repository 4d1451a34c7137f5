import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsTime } from '../../platform/http/dto/fields';

/** The time at which a key expires. Default: never. `futureTime` checks that it is in the future. */
export function KeyExpiryField(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      format: 'date-time',
      nullable: true,
      description: 'When the key expires; must be in the future. Null or absent: never.',
    }),
    IsOptional(),
    IsTime(),
  );
}
