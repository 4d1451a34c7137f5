import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Post, Put, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { AnsweredFromMemory } from '../../platform/http/ready/answered-from-memory';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../platform/http/routes/change';
import { CreatesAt } from '../../platform/http/routes/created';
import { PageQuery } from '../../platform/http/dto/page';
import { ApiUuidParam, UuidParam } from '../../platform/http/routes/uuid-param';
import { AnswersWithETag, type Versioned } from '../../platform/http/routes/versioned';
import { ApiIfMatch, type ExpectedVersion, IfMatch } from '../../platform/http/routes/versions';
import type { Principal } from '../../kernel/principal';
import { CheckedGuardrailView, GuardrailBody, GuardrailPage, GuardrailStatsView } from './guardrail.dto';
import { GuardrailsService } from './guardrails.service';

@ApiTags('Guard Rails')
@Controller('guardrails')
export class GuardrailsController {
  constructor(private readonly guardrails: GuardrailsService) {}

  @Get()
  @AnsweredFromMemory('guardrail_rules', 'guardrail_connections')
  @Requires('auditor')
  @ApiOperation({ operationId: 'listGuardRails', summary: 'List guardrail rules, newest first' })
  @ApiOkResponse({ type: GuardrailPage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: PageQuery): Promise<GuardrailPage> {
    return this.guardrails.list(actor.orgId, query);
  }

  @Post()
  @Requires('admin')
  @CreatesAt('id')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'createGuardRail', summary: 'Create a guardrail rule' })
  @ApiCreatedResponse({ type: CheckedGuardrailView })
  @ApiErrors(400, 409, 413, 422)
  create(@Changing() change: Change, @Body() body: GuardrailBody): Promise<Versioned<CheckedGuardrailView>> {
    return this.guardrails.create(change, body);
  }

  @Get(':id')
  @AnsweredFromMemory('guardrail_rules', 'guardrail_connections', 'connections')
  @Requires('auditor')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'getGuardRail', summary: 'Get a guardrail rule' })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: CheckedGuardrailView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @UuidParam('id') id: string): Promise<Versioned<CheckedGuardrailView>> {
    return this.guardrails.get(actor.orgId, id);
  }

  @Get(':id/stats')
  @Requires('auditor')
  @ApiOperation({
    operationId: 'getGuardRailStats',
    summary: 'Get the statistics of a guardrail rule: checks and hits',
  })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: GuardrailStatsView })
  @ApiErrors(400, 404)
  stats(@Actor() actor: Principal, @UuidParam('id') id: string): Promise<GuardrailStatsView> {
    return this.guardrails.stats(actor.orgId, id);
  }

  @Put(':id')
  @Requires('admin')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'updateGuardRail', summary: 'Replace a guardrail rule' })
  @ApiUuidParam('id')
  @ApiIfMatch()
  @ApiOkResponse({ type: CheckedGuardrailView })
  @ApiErrors(400, 404, 409, 412, 413, 422)
  replace(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersion,
    @Body() body: GuardrailBody,
  ): Promise<Versioned<CheckedGuardrailView>> {
    return this.guardrails.replace(change, id, expected, body);
  }

  @Delete(':id')
  @Requires('admin')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({ operationId: 'deleteGuardRail', summary: 'Delete a guardrail rule' })
  @ApiUuidParam('id')
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 412)
  remove(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<void> {
    return this.guardrails.remove(change, id, expected);
  }
}
