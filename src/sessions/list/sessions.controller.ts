import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { type AuditedRead, Auditing } from '../../platform/http/routes/change';
import type { Principal } from '../../kernel/principal';
import { SessionListQuery, sessionListing } from '../search/session-list-query';
import { SessionList } from './session-list';
import { SessionPage } from './session-list.dto';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionList) {}

  @Get()
  @Requires('signed-in')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'listSessions',
    summary: 'List sessions, newest first',
    description:
      'Regular users see their own sessions, and those that waited for a review, or came by access that people approved, which names a group of theirs; auditors and admins see all. With `q`, regular users find their own only.',
  })
  @ApiOkResponse({ type: SessionPage })
  @ApiErrors(400, 403, 422)
  list(
    @Auditing() read: AuditedRead,
    @Actor() actor: Principal,
    @Query() query: SessionListQuery,
  ): Promise<SessionPage> {
    return this.sessions.page(read, actor, sessionListing(query));
  }
}
