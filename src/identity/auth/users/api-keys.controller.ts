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
import { ApiKeyBody, ApiKeyPage, ApiKeyView, CreatedApiKeyView } from './api-key.dto';
import { ApiKeysService } from './api-keys.service';

@ApiTags('Machine Identities')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @Requires('admin')
  @ApiOperation({ operationId: 'listApiKeys', summary: 'List API keys, masked, newest first' })
  @ApiOkResponse({ type: ApiKeyPage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: PageQuery): Promise<ApiKeyPage> {
    return this.keys.list(actor.orgId, query);
  }

  @Get(':id')
  @Requires('admin')
  @AnswersWithTag()
  @ApiOperation({ operationId: 'getApiKey', summary: 'Get an API key, masked' })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: ApiKeyView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @UuidParam('id') id: string): Promise<ApiKeyView> {
    return this.keys.get(actor.orgId, id);
  }

  @Post()
  @Requires('admin')
  @CreatesAt('id')
  @ApiOperation({
    operationId: 'createApiKey',
    summary: 'Create an API key; it is shown only in this answer',
  })
  @ApiCreatedResponse({ type: CreatedApiKeyView })
  @ApiErrors(400, 409, 413, 422)
  create(@Changing() change: Change, @Body() body: ApiKeyBody): Promise<CreatedApiKeyView> {
    return this.keys.create(change, body);
  }

  @Delete(':id')
  @Requires('admin')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({ operationId: 'revokeApiKey', summary: 'Revoke an API key' })
  @ApiUuidParam('id')
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 412)
  revoke(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<void> {
    return this.keys.revoke(change, id, expected);
  }
}
