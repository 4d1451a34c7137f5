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
import { NameParam } from '../../platform/http/dto/name-fields';
import { type Change, Changing } from '../../platform/http/routes/change';
import { CreatesAt } from '../../platform/http/routes/created';
import { PageQuery } from '../../platform/http/dto/page';
import { AnswersWithETag, type Versioned } from '../../platform/http/routes/versioned';
import { ApiIfMatch, type ExpectedVersion, IfMatch } from '../../platform/http/routes/versions';
import type { Principal } from '../../kernel/principal';
import { AccessRuleBody, AccessRulePage, CheckedAccessRuleView } from './access-rule.dto';
import { AccessRulesService } from './access-rules.service';

@ApiTags('Access Requests')
@Controller('access-requests/rules')
export class AccessRulesController {
  constructor(private readonly rules: AccessRulesService) {}

  @Get()
  @AnsweredFromMemory('access_request_rules')
  @Requires('auditor')
  @ApiOperation({
    operationId: 'listAccessRequestRules',
    summary: 'List all access request rules, newest first',
  })
  @ApiOkResponse({ type: AccessRulePage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: PageQuery): Promise<AccessRulePage> {
    return this.rules.list(actor.orgId, query);
  }

  @Post()
  @Requires('admin')
  @CreatesAt('name')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'createAccessRequestRule', summary: 'Create an access request rule' })
  @ApiCreatedResponse({ type: CheckedAccessRuleView })
  @ApiErrors(400, 413, 422)
  create(
    @Changing() change: Change,
    @Body() body: AccessRuleBody,
  ): Promise<Versioned<CheckedAccessRuleView>> {
    return this.rules.create(change, body);
  }

  @Get(':name')
  @AnsweredFromMemory(
    'access_request_rules',
    'organizations',
    'connections',
    'users',
    'user_groups',
    'groups',
    'api_keys',
  )
  @Requires('auditor')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'getAccessRequestRule', summary: 'Get an access request rule' })
  @ApiOkResponse({ type: CheckedAccessRuleView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @NameParam('name') name: string): Promise<Versioned<CheckedAccessRuleView>> {
    return this.rules.get(actor.orgId, name);
  }

  @Put(':name')
  @Requires('admin')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'updateAccessRequestRule', summary: 'Replace an access request rule' })
  @ApiIfMatch()
  @ApiOkResponse({ type: CheckedAccessRuleView })
  @ApiErrors(400, 404, 412, 413, 422)
  replace(
    @Changing() change: Change,
    @NameParam('name') name: string,
    @IfMatch() expected: ExpectedVersion,
    @Body() body: AccessRuleBody,
  ): Promise<Versioned<CheckedAccessRuleView>> {
    return this.rules.replace(change, name, expected, body);
  }

  @Delete(':name')
  @Requires('admin')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({ operationId: 'deleteAccessRequestRule', summary: 'Delete an access request rule' })
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 412)
  remove(
    @Changing() change: Change,
    @NameParam('name') name: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<void> {
    return this.rules.remove(change, name, expected);
  }
}
