import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { NameParam } from '../../platform/http/dto/name-fields';
import type { Principal } from '../../kernel/principal';
import { TablesQuery, TablesView } from './tables.dto';
import { TablesService } from './tables.service';

@ApiTags('Connections')
@Controller('connections')
export class TablesController {
  constructor(private readonly tables: TablesService) {}

  @Get(':nameOrID/tables')
  @Requires('operator')
  @ApiOperation({
    operationId: 'listTables',
    summary: 'List the tables of a database and their columns',
    description:
      'For those whose scripts would run at once, without an approval. It runs as a script of the caller does, in a session of its own: judged, recorded and screened.',
  })
  @ApiOkResponse({ type: TablesView })
  @ApiErrors(400, 403, 404, 422)
  list(
    @Actor() actor: Principal,
    @NameParam('nameOrID') nameOrId: string,
    @Query() query: TablesQuery,
  ): Promise<TablesView> {
    return this.tables.list(actor, nameOrId, query);
  }
}
