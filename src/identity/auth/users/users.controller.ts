import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
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
import { AnswersWithTag } from '../../../platform/http/routes/versioned';
import { ApiIfMatch, type ExpectedVersion, IfMatch } from '../../../platform/http/routes/versions';
import type { Principal } from '../../../kernel/principal';
import { UserAdministrationService } from './user-administration.service';
import { UserBody, UserChangeBody, UserPage, UserQuery, UserView } from './user.dto';

@ApiTags('User Management')
@Controller('users')
export class UsersController {
  constructor(private readonly users: UserAdministrationService) {}

  @Get()
  @Requires('auditor')
  @ApiOperation({ operationId: 'listUsers', summary: 'List users, newest first' })
  @ApiOkResponse({ type: UserPage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: UserQuery): Promise<UserPage> {
    return this.users.list(actor.orgId, query);
  }

  @Get(':id')
  @Requires('auditor')
  @AnswersWithTag()
  @ApiOperation({ operationId: 'getUser', summary: 'Get a user' })
  @ApiOkResponse({ type: UserView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @Param('id') id: string): Promise<UserView> {
    return this.users.get(actor.orgId, id);
  }

  @Post()
  @Requires('admin')
  @CreatesAt('id')
  @AnswersWithTag()
  @ApiOperation({ operationId: 'createUser', summary: 'Create a user before the first sign-in' })
  @ApiCreatedResponse({ type: UserView })
  @ApiErrors(400, 409, 413, 422)
  create(@Changing() change: Change, @Body() body: UserBody): Promise<UserView> {
    return this.users.create(change, body);
  }

  @Patch(':id')
  @Requires('admin')
  @AnswersWithTag()
  @ApiIfMatch()
  @ApiOperation({ operationId: 'updateUser', summary: 'Update a user’s status, name or groups' })
  @ApiOkResponse({ type: UserView })
  @ApiErrors(400, 404, 409, 412, 413, 422)
  update(
    @Changing() change: Change,
    @Param('id') id: string,
    @IfMatch() expected: ExpectedVersion,
    @Body() body: UserChangeBody,
  ): Promise<UserView> {
    return this.users.update(change, id, expected, body);
  }

  @Delete(':id')
  @Requires('admin')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({ operationId: 'deleteUser', summary: 'Delete a user' })
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 409, 412)
  remove(
    @Changing() change: Change,
    @Param('id') id: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<void> {
    return this.users.remove(change, id, expected);
  }
}
