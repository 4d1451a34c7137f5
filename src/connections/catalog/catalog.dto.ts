import { ApiProperty } from '@nestjs/swagger';

const MODES = ['none', 'static', 'oauth'];

/** A catalog entry (specification, section 2.1). */
export class CatalogEntryView {
  @ApiProperty({ description: 'Catalog key; unique and stable.', example: 'github' })
  name!: string;

  @ApiProperty({ description: 'One-line summary of what the server exposes.' })
  description!: string;

  @ApiProperty({ format: 'uri', description: 'The MCP endpoint; the value for `REMOTE_URL`.' })
  url!: string;

  @ApiProperty({
    enum: ['streamable-http', 'sse'],
    description: 'Backend protocol; the value for `MCP_TRANSPORT`.',
  })
  transport!: string;

  @ApiProperty({ enum: MODES, description: 'Default auth mode that the provider documents.' })
  auth!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: MODES },
    description: 'Every auth mode the server accepts; the default comes first.',
  })
  auth_modes!: string[];

  @ApiProperty({
    description: 'Static credential header and its value template; empty when no mode is `static`.',
    example: 'Authorization: Bearer <token>',
  })
  header!: string;

  @ApiProperty({ description: 'What to know before using the server.' })
  notes!: string;
}
