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
import { NameParam } from '../../../platform/http/dto/name-fields';
import { type Change, Changing } from '../../../platform/http/routes/change';
import { CreatesAt } from '../../../platform/http/routes/created';
import { PageQuery } from '../../../platform/http/dto/page';
import { AnswersWithTag } from '../../../platform/http/routes/versioned';
import { ApiIfMatch, type ExpectedVersion, IfMatch } from '../../../platform/http/routes/versions';
import type { Principal } from '../../../kernel/principal';
import { GroupBody, GroupPage, GroupView } from './group.dto';
import { GroupsService } from './groups.service';

@ApiTags('User Management')
@Controller('groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @Requires('auditor')
  @ApiOperation({
    operationId: 'listGroups',
    summary: 'List groups by name, with their number of members',
  })
  @ApiOkResponse({ type: GroupPage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: PageQuery): Promise<GroupPage> {
    return this.groups.list(actor.orgId, query);
  }

  @Post()
  @Requires('admin')
  @CreatesAt('name')
  @AnswersWithTag()
  @ApiOperation({ operationId: 'createGroup', summary: 'Create a group' })
  @ApiCreatedResponse({ type: GroupView })
  @ApiErrors(400, 409, 413, 422)
  create(@Changing() change: Change, @Body() body: GroupBody): Promise<GroupView> {
    return this.groups.create(change, body);
  }

  @Get(':name')
  @Requires('auditor')
  @AnswersWithTag()
  @ApiOperation({ operationId: 'getGroup', summary: 'Get a group with its number of members' })
  @ApiOkResponse({ type: GroupView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @NameParam('name') name: string): Promise<GroupView> {
    return this.groups.get(actor.orgId, name);
  }

  @Delete(':name')
  @Requires('admin')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({ operationId: 'deleteGroup', summary: 'Delete a group and its manual memberships' })
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 409, 412)
  remove(
    @Changing() change: Change,
    @NameParam('name') name: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<void> {
    return this.groups.remove(change, name, expected);
  }
}
