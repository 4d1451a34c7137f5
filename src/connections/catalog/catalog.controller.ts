import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Requires } from '../../platform/http/routes/access';
import { AnsweredFromMemory } from '../../platform/http/ready/answered-from-memory';
import { CatalogEntryView } from './catalog.dto';
import { CatalogService } from './catalog.service';

@ApiTags('Connections')
@Controller('mcp-catalog')
export class CatalogController {
  constructor(private readonly catalog: CatalogService) {}

  @Get()
  @AnsweredFromMemory()
  @Requires('signed-in')
  @ApiOperation({ operationId: 'listMcpCatalog', summary: 'List the built-in catalog of remote MCP servers' })
  @ApiOkResponse({ type: [CatalogEntryView] })
  list(@Res() response: Response): void {
    response.setHeader('ETag', this.catalog.etag);
    response.type('application/json').send(this.catalog.json);
  }
}
