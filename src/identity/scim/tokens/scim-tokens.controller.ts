import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Actor, Requires } from '../../../platform/http/routes/access';
import { ApiErrors } from '../../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../../platform/http/routes/change';
import { CreatesAt } from '../../../platform/http/routes/created';
import { PageQuery } from '../../../platform/http/dto/page';
import { ApiUuidParam, UuidParam } from '../../../platform/http/routes/uuid-param';
import { AnswersWithTag } from '../../../platform/http/routes/versioned';
import { ApiIfMatch, type ExpectedVersion, IfMatch } from '../../../platform/http/routes/versions';
import type { Principal } from '../../../kernel/principal';
import { ScimTokenBody, ScimTokenPage, ScimTokenView, CreatedScimTokenView } from './scim-token.dto';
import { ScimTokens } from './scim-tokens';

@ApiTags('User Management')
@Controller('scim-tokens')
export class ScimTokensController {
  constructor(private readonly tokens: ScimTokens) {}

  @Get()
  @Requires('admin')
  @ApiOperation({ operationId: 'listScimTokens', summary: 'List SCIM tokens, masked, newest first' })
  @ApiOkResponse({ type: ScimTokenPage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: PageQuery): Promise<ScimTokenPage> {
    return this.tokens.list(actor.orgId, query);
  }

  @Get(':id')
  @Requires('admin')
  @AnswersWithTag()
  @ApiOperation({ operationId: 'getScimToken', summary: 'Get a SCIM token, masked' })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: ScimTokenView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @UuidParam('id') id: string): Promise<ScimTokenView> {
    return this.tokens.get(actor.orgId, id);
  }

  @Post()
  @Requires('admin')
  @CreatesAt('id')
  @ApiOperation({
    operationId: 'createScimToken',
    summary: 'Create a SCIM token; it is shown only in this answer',
  })
  @ApiCreatedResponse({ type: CreatedScimTokenView })
  @ApiErrors(400, 409, 413, 422)
  create(@Changing() change: Change, @Body() body: ScimTokenBody): Promise<CreatedScimTokenView> {
    return this.tokens.create(change, body);
  }

  @Delete(':id')
  @Requires('admin')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({ operationId: 'revokeScimToken', summary: 'Revoke a SCIM token' })
  @ApiUuidParam('id')
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 412)
  revoke(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<void> {
    return this.tokens.revoke(change, id, expected);
  }
}
