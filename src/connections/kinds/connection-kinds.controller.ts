import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Requires } from '../../platform/http/routes/access';
import { ConnectionKindList } from './connection-kind.dto';
import { ConnectionKindsService } from './connection-kinds.service';

@ApiTags('Connections')
@Controller('connection-kinds')
export class ConnectionKindsController {
  constructor(private readonly kinds: ConnectionKindsService) {}

  @Get()
  @Requires('signed-in')
  @ApiOperation({
    operationId: 'listConnectionKinds',
    summary: 'List the kinds of connections: fields of their secrets, and how clients reach them',
  })
  @ApiOkResponse({ type: ConnectionKindList })
  list(@Res() response: Response): void {
    response.setHeader('ETag', this.kinds.etag);
    response.type('application/json').send(this.kinds.json);
  }
}
