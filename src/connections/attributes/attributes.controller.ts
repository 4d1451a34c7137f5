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
import { AnswersWithTag } from '../../platform/http/routes/versioned';
import { ApiIfMatch, type ExpectedVersion, IfMatch } from '../../platform/http/routes/versions';
import type { Principal } from '../../kernel/principal';
import { AttributeBody, AttributeChangeBody, AttributePage, AttributeView } from './attribute.dto';
import { AttributesService } from './attributes.service';

@ApiTags('Attributes')
@Controller('attributes')
export class AttributesController {
  constructor(private readonly attributes: AttributesService) {}

  @Get()
  @AnsweredFromMemory('attributes', 'connections', 'guardrail_rules', 'access_request_rules')
  @Requires('auditor')
  @ApiOperation({ operationId: 'listAttributes', summary: 'List attributes, newest first' })
  @ApiOkResponse({ type: AttributePage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: PageQuery): Promise<AttributePage> {
    return this.attributes.list(actor.orgId, query);
  }

  @Get(':name')
  @AnsweredFromMemory('attributes', 'connections', 'guardrail_rules', 'access_request_rules')
  @Requires('auditor')
  @AnswersWithTag()
  @ApiOperation({ operationId: 'getAttribute', summary: 'Get an attribute' })
  @ApiOkResponse({ type: AttributeView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @NameParam('name') name: string): Promise<AttributeView> {
    return this.attributes.get(actor.orgId, name);
  }

  @Post()
  @Requires('admin')
  @CreatesAt('name')
  @AnswersWithTag()
  @ApiOperation({ operationId: 'createAttribute', summary: 'Create an attribute' })
  @ApiCreatedResponse({ type: AttributeView })
  @ApiErrors(400, 409, 413, 422)
  create(@Changing() change: Change, @Body() body: AttributeBody): Promise<AttributeView> {
    return this.attributes.create(change, body);
  }

  @Put(':name')
  @Requires('admin')
  @AnswersWithTag()
  @ApiIfMatch()
  @ApiOperation({ operationId: 'updateAttribute', summary: 'Update the description of an attribute' })
  @ApiOkResponse({ type: AttributeView })
  @ApiErrors(400, 404, 412, 413, 422)
  update(
    @Changing() change: Change,
    @NameParam('name') name: string,
    @IfMatch() expected: ExpectedVersion,
    @Body() body: AttributeChangeBody,
  ): Promise<AttributeView> {
    return this.attributes.update(change, name, expected, body);
  }

  @Delete(':name')
  @Requires('admin')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({
    operationId: 'deleteAttribute',
    summary: 'Delete an attribute, and remove it from everything that has it',
  })
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 409, 412)
  remove(
    @Changing() change: Change,
    @NameParam('name') name: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<void> {
    return this.attributes.remove(change, name, expected);
  }
}
