import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Patch, Post, Put, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { NameParam } from '../../platform/http/dto/name-fields';
import { type Change, Changing } from '../../platform/http/routes/change';
import { CreatesAt } from '../../platform/http/routes/created';
import { AnswersWithETag, type Versioned } from '../../platform/http/routes/versioned';
import { ApiIfMatch, type ExpectedVersion, IfMatch } from '../../platform/http/routes/versions';
import type { Principal } from '../../kernel/principal';
import { ConnectionChangesService } from './connection-changes.service';
import { ConnectionRemoval } from './connection-removal';
import { ConnectionQuery } from './connection-query';
import { ConnectionBody, ConnectionPatchBody } from './connection.dto';
import { CheckedConnectionView, ConnectionPage, ConnectionView } from './connection-view.dto';
import { ConnectionsService } from './connections.service';

@ApiTags('Connections')
@Controller('connections')
export class ConnectionsController {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly changes: ConnectionChangesService,
    private readonly removal: ConnectionRemoval,
  ) {}

  @Get()
  @Requires('signed-in')
  @ApiOperation({ operationId: 'listConnections', summary: 'List the connections that the caller may open' })
  @ApiOkResponse({ type: ConnectionPage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: ConnectionQuery): Promise<ConnectionPage> {
    return this.connections.list(actor, query);
  }

  @Post()
  @Requires('admin')
  @CreatesAt('name')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'createConnection', summary: 'Create a connection' })
  @ApiCreatedResponse({ type: CheckedConnectionView })
  @ApiErrors(400, 409, 413, 422)
  create(
    @Changing() change: Change,
    @Body() body: ConnectionBody,
  ): Promise<Versioned<CheckedConnectionView>> {
    return this.changes.create(change, body);
  }

  @Get(':nameOrID')
  @Requires('signed-in')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'getConnection', summary: 'Get a connection' })
  @ApiOkResponse({ type: ConnectionView })
  @ApiErrors(400, 404)
  get(
    @Actor() actor: Principal,
    @NameParam('nameOrID') nameOrId: string,
  ): Promise<Versioned<ConnectionView>> {
    return this.connections.get(actor, nameOrId);
  }

  @Put(':nameOrID')
  @Requires('admin')
  @AnswersWithETag()
  @ApiOperation({
    operationId: 'updateConnection',
    summary: 'Replace a connection except for its name and kind',
  })
  @ApiIfMatch()
  @ApiOkResponse({ type: CheckedConnectionView })
  @ApiErrors(400, 404, 412, 413, 422)
  replace(
    @Changing() change: Change,
    @NameParam('nameOrID') nameOrId: string,
    @IfMatch() expected: ExpectedVersion,
    @Body() body: ConnectionBody,
  ): Promise<Versioned<CheckedConnectionView>> {
    return this.changes.replace(change, nameOrId, expected, body);
  }

  @Patch(':nameOrID')
  @Requires('admin')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'patchConnection', summary: 'Update some fields of a connection' })
  @ApiIfMatch()
  @ApiOkResponse({ type: CheckedConnectionView })
  @ApiErrors(400, 404, 412, 413, 422)
  patch(
    @Changing() change: Change,
    @NameParam('nameOrID') nameOrId: string,
    @IfMatch() expected: ExpectedVersion,
    @Body() body: ConnectionPatchBody,
  ): Promise<Versioned<CheckedConnectionView>> {
    return this.changes.patch(change, nameOrId, expected, body);
  }

  @Delete(':nameOrID')
  @Requires('admin')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({ operationId: 'deleteConnection', summary: 'Delete a connection and its bindings' })
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 412)
  remove(
    @Changing() change: Change,
    @NameParam('nameOrID') nameOrId: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<void> {
    return this.removal.remove(change, nameOrId, expected);
  }
}
