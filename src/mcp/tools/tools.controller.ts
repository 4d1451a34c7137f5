import { Controller, Get, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../platform/http/routes/change';
import { NameParam } from '../../platform/http/dto/name-fields';
import { PageQuery } from '../../platform/http/dto/page';
import { AnswersWithETag, type Versioned } from '../../platform/http/routes/versioned';
import { ApiIfMatch, type ExpectedVersion, IfMatch } from '../../platform/http/routes/versions';
import type { Principal } from '../../kernel/principal';
import { ApiToolParam, ToolParam } from './tool-name-param';
import { McpToolPage, McpToolView } from './tool.dto';
import { ToolsService } from './tools.service';

@ApiTags('Connections')
@Controller('connections/:nameOrID/mcp-tools')
export class ToolsController {
  constructor(private readonly tools: ToolsService) {}

  @Get()
  @Requires('auditor')
  @ApiOperation({
    operationId: 'listMcpTools',
    summary: 'List the tools that an MCP server offered, and how they differ from what was accepted',
  })
  @ApiOkResponse({ type: McpToolPage })
  @ApiErrors(400, 404)
  list(
    @Actor() actor: Principal,
    @NameParam('nameOrID') nameOrId: string,
    @Query() query: PageQuery,
  ): Promise<McpToolPage> {
    return this.tools.list(actor, nameOrId, query);
  }

  @Get(':tool')
  @Requires('auditor')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'getMcpTool', summary: 'Get a tool of an MCP server' })
  @ApiToolParam()
  @ApiOkResponse({ type: McpToolView })
  @ApiErrors(400, 404)
  get(
    @Actor() actor: Principal,
    @NameParam('nameOrID') nameOrId: string,
    @ToolParam() tool: string,
  ): Promise<Versioned<McpToolView>> {
    return this.tools.get(actor, nameOrId, tool);
  }

  @Post(':tool/accept')
  @Requires('admin')
  @HttpCode(HttpStatus.OK)
  @AnswersWithETag()
  @ApiOperation({
    operationId: 'acceptMcpTool',
    summary: 'Accept a new or changed tool exactly as it was read; If-Match is required',
  })
  @ApiToolParam()
  @ApiIfMatch()
  @ApiOkResponse({ type: McpToolView })
  @ApiErrors(400, 404, 412)
  accept(
    @Changing() change: Change,
    @NameParam('nameOrID') nameOrId: string,
    @ToolParam() tool: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<Versioned<McpToolView>> {
    return this.tools.accept(change, nameOrId, tool, expected);
  }
}
