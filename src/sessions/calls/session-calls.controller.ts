import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { PageQuery } from '../../platform/http/dto/page';
import { ApiUuidParam, UuidParam } from '../../platform/http/routes/uuid-param';
import type { Principal } from '../../kernel/principal';
import { SessionCallPage } from './session-call.dto';
import { SessionCallsService } from './session-calls.service';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionCallsController {
  constructor(private readonly calls: SessionCallsService) {}

  @Get(':session_id/mcp-calls')
  @Requires('signed-in')
  @ApiOperation({
    operationId: 'listSessionCalls',
    summary: 'List the calls of a session on an MCP server, newest first',
  })
  @ApiUuidParam('session_id')
  @ApiOkResponse({ type: SessionCallPage })
  @ApiErrors(400, 403, 404)
  list(
    @Actor() actor: Principal,
    @UuidParam('session_id') sessionId: string,
    @Query() query: PageQuery,
  ): Promise<SessionCallPage> {
    return this.calls.list(actor, sessionId, query);
  }
}
