import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../http/access';
import { ApiErrors } from '../http/api-errors';
import { PageQuery } from '../http/page';
import type { Principal } from '../kernel/principal';
import { AccessRuleBody, AccessRulePage, AccessRuleView } from './access-rule.dto';
import { AccessRulesService } from './access-rules.service';

@ApiTags('Access Requests')
@Controller('access-requests/rules')
export class AccessRulesController {
  constructor(private readonly rules: AccessRulesService) {}

  @Get()
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
  @ApiOperation({ operationId: 'createAccessRequestRule', summary: 'Create an access request rule' })
  @ApiCreatedResponse({ type: AccessRuleView })
  @ApiErrors(400, 413, 422)
  create(@Actor() actor: Principal, @Body() body: AccessRuleBody): Promise<AccessRuleView> {
    return this.rules.create(actor.orgId, body);
  }
}
