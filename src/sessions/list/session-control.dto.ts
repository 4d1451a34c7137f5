import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { METADATA_RULE } from '../../platform/http/dto/metadata-field';

/** A change of a session's metadata: a JSON merge patch (RFC 7396) on its top level. */
export class SessionMetadataBody {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: `Keys to set; null removes a key, keys that are absent stay. The result must have ${METADATA_RULE}.`,
    example: { ticket: 'OPS-12', draft: null },
  })
  @IsObject()
  metadata!: Record<string, unknown>;
}
