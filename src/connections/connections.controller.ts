import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../http/access';
import { ApiErrors } from '../http/api-errors';
import type { Principal } from '../kernel/principal';
import { ConnectionBody, ConnectionView } from './connection.dto';
import { ConnectionsService } from './connections.service';

@ApiTags('Connections')
@Controller('connections')
export class ConnectionsController {
  constructor(private readonly connections: ConnectionsService) {}

  @Post()
  @Requires('admin')
  @ApiOperation({ operationId: 'createConnection', summary: 'Create a connection' })
  @ApiCreatedResponse({ type: ConnectionView })
  @ApiErrors(400, 409, 413, 422)
  create(@Actor() actor: Principal, @Body() body: ConnectionBody): Promise<ConnectionView> {
    return this.connections.create(actor.orgId, body);
  }
}
