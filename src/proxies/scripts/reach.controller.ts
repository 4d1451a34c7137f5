import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { NameParam } from '../../platform/http/dto/name-fields';
import type { Principal } from '../../kernel/principal';
import { ReachView } from './reach.dto';
import { ReachService } from './reach.service';

@ApiTags('Connections')
@Controller('connections')
export class ReachController {
  constructor(private readonly reach: ReachService) {}

  @Get(':nameOrID/test')
  @Requires('admin')
  @ApiOperation({ operationId: 'testConnection', summary: 'Test the connection to the target' })
  @ApiOkResponse({ type: ReachView })
  @ApiErrors(400, 404)
  test(@Actor() actor: Principal, @NameParam('nameOrID') nameOrId: string): Promise<ReachView> {
    return this.reach.test(actor, nameOrId);
  }
}
