import { Controller, Delete, Get, HttpCode, HttpStatus, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PageOfUserQuery } from '../../../platform/http/dto/page-of-user';
import { Actor, Requires } from '../../../platform/http/routes/access';
import { ApiErrors } from '../../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../../platform/http/routes/change';
import { ApiUuidParam, UuidParam } from '../../../platform/http/routes/uuid-param';
import type { Principal } from '../../../kernel/principal';
import { AuthorizationList } from './authorization-list';
import { McpAuthorizationPage } from './authorizations.dto';

@ApiTags('Connection Credentials')
@Controller('mcp-authorizations')
export class AuthorizationsController {
  constructor(private readonly authorizations: AuthorizationList) {}

  @Get()
  @Requires('signed-in')
  @ApiOperation({
    operationId: 'listMcpAuthorizations',
    summary: 'List what a user allowed MCP clients, newest first',
  })
  @ApiOkResponse({ type: McpAuthorizationPage })
  @ApiErrors(400, 403, 404, 409)
  list(@Actor() actor: Principal, @Query() query: PageOfUserQuery): Promise<McpAuthorizationPage> {
    return this.authorizations.page(actor, query);
  }

  @Delete(':id')
  @Requires('operator')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({
    operationId: 'revokeMcpAuthorization',
    summary: 'End what a user allowed an MCP client, its tokens and sessions; for that user and admins',
  })
  @ApiUuidParam('id')
  @ApiNoContentResponse({
    description: 'The client has to ask again; its sessions end within seconds, wherever they run.',
  })
  @ApiErrors(400, 404)
  revoke(@Changing() change: Change, @UuidParam('id') id: string): Promise<void> {
    return this.authorizations.revoke(change, id);
  }
}
