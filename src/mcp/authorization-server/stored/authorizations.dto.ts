import { ApiProperty } from '@nestjs/swagger';
import { PageInfo } from '../../../platform/http/dto/page';

export class McpAuthorizationView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    description: 'Id of the client: as the gateway registered it, or the address of its metadata document.',
    example: 'https://ide.example.com/client.json',
  })
  client_id!: string;

  @ApiProperty({ description: 'As the client calls itself.', example: 'Example IDE' })
  client_name!: string;

  @ApiProperty({
    description:
      'Host to which the browser returned; that of the gateway for a device without a browser. With its scheme where it returned to an application (`cursor://anysphere.cursor-mcp`).',
    example: '127.0.0.1:33418',
  })
  redirect_host!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The connection that the client may use in the name of the user; null: all of the REST API, for the command line of the gateway.',
    example: 'tickets',
  })
  connection!: string | null;

  @ApiProperty({ description: 'Subject identifier of the user.' })
  user!: string;

  @ApiProperty({ format: 'date-time', description: 'When the user allowed it.' })
  created_at!: Date;

  @ApiProperty({ format: 'date-time', description: 'When the user has to sign in again.' })
  expires_at!: Date;
}

export class McpAuthorizationPage {
  @ApiProperty({ type: [McpAuthorizationView] })
  data!: McpAuthorizationView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}
