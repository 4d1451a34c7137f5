import { ApiProperty } from '@nestjs/swagger';

export class McpConnectView {
  @ApiProperty({
    format: 'uri',
    description:
      'Opened in a browser, it serves the caller alone: after the sign-in at the gateway it shows where the account is, asks, and leads there. Good for an hour, used once.',
    example: 'https://gateway.example.com/api/mcp-connect/0b6f2c1e-6d8e-4a5e-9a7f-3b1f0f5f6a10',
  })
  url!: string;

  @ApiProperty({
    enum: ['user', 'shared'],
    description:
      '`user`: an account of the caller, for the caller. `shared`: one for all who use the connection.',
  })
  subject!: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: Date;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description:
      'To be registered with the client of `MCP_CLIENT_ID`; null where the gateway introduces itself to the authorization server.',
  })
  redirect_uri!: string | null;
}
