import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Length,
} from 'class-validator';
import type { TrailEventType } from '../../../gate/ports/session-recorder';
import { HasNoNul } from '../../../platform/http/dto/fields';
import { MAX_EXTENSION, TYPES } from '../rendering/session-query';

const FLAG = ['0', '1'] as const;

/** Options of the file to download. They have the names that `GET /sessions/{session_id}` uses. */
export class DownloadLinkBody {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MAX_EXTENSION,
    example: 'csv',
    description: 'File extension, which selects the format. Default: txt, the plain content.',
  })
  @IsOptional()
  @IsString()
  @Length(1, MAX_EXTENSION)
  @HasNoNul()
  extension?: string;

  @ApiPropertyOptional({ enum: FLAG, description: 'Prefix each event with its event time. Default: 0.' })
  @IsOptional()
  @IsString()
  @IsIn(FLAG)
  'event-time'?: (typeof FLAG)[number];

  @ApiPropertyOptional({ enum: FLAG, description: 'Add a line break after each event. Default: 0.' })
  @IsOptional()
  @IsString()
  @IsIn(FLAG)
  new_line?: (typeof FLAG)[number];

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...TYPES] },
    minItems: 1,
    maxItems: TYPES.length,
    description: 'Event types to include: input, output, error. Default: o and e.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(TYPES.length)
  @IsString({ each: true })
  @IsIn(TYPES, { each: true })
  events?: TrailEventType[];
}

export class DownloadQuery {
  // Not validated here, because the service refuses and counts every bad token with the same message.
  @ApiProperty({ type: String, description: 'As the link has it.' })
  @Allow()
  token: unknown;
}

export class DownloadLinkView {
  @ApiProperty({
    format: 'uri',
    description:
      'Link that downloads the file once, without a credential. Anybody who has the link can use it, so keep it secret.',
    example:
      'https://gateway.example.com/api/sessions/0b5a6e3c-1f5e-4c51-9d67-2f1f6a7c9d10/download?token=4fq0XkQ9',
  })
  download_url!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When the link expires, five minutes after its creation.',
  })
  expire_at!: Date;
}
