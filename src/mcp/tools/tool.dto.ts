import { ApiProperty } from '@nestjs/swagger';
import { PageInfo } from '../../platform/http/dto/page';

const STATUSES = ['accepted', 'changed', 'held'] as const;

export class McpToolDifferenceView {
  @ApiProperty({
    description: 'JSON pointer (RFC 6901) to what differs in the definition of the tool.',
    example: '/inputSchema/properties/sql/description',
  })
  path!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As it was accepted: a text as it is, any other value as JSON. Null: it was not there.',
  })
  before!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As it is listed now. Null: it is not there any more.',
  })
  after!: string | null;
}

export class McpToolView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    description: 'Name of the tool, exactly as the server writes it.',
    example: 'search_orders',
  })
  name!: string;

  @ApiProperty({
    enum: STATUSES,
    description:
      '`accepted`: clients see and call it. `held`: new, and the connection holds new tools. `changed`: not as it was accepted. Clients neither see nor call the latter two.',
  })
  status!: string;

  @ApiProperty({
    description: 'SHA-256, in hex, of what the tool says of itself now; the `ETag` of the tool.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  fingerprint!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The fingerprint that was accepted; null: none was.',
  })
  accepted_fingerprint!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  accepted_at!: Date | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Who accepted it: an e-mail address or an id. Null: nobody, or `new_tools` of the policy is `allow`.',
  })
  accepted_by!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  first_listed_at!: Date;

  @ApiProperty({ type: String, format: 'date-time', description: 'When the definition changed last.' })
  changed_at!: Date;

  @ApiProperty({
    type: [McpToolDifferenceView],
    description:
      'What differs from what was accepted, at most 200 places; everything while nothing was accepted. In lists, texts are cut to 1000 characters.',
  })
  differences!: McpToolDifferenceView[];

  @ApiProperty({
    type: [String],
    description:
      'What may deceive a reader: invisible characters in the name, or another tool that looks the same.',
  })
  warnings!: string[];
}

export class McpToolPage {
  @ApiProperty({ type: [McpToolView] })
  data!: McpToolView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}
