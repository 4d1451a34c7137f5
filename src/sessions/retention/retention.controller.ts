import { Controller, Get, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../platform/http/routes/change';
import type { Principal } from '../../kernel/principal';
import { RetentionRunView, RetentionView } from './retention.dto';
import { RetentionService } from './retention.service';

@ApiTags('Sessions')
@Controller('retention')
export class RetentionController {
  constructor(private readonly retention: RetentionService) {}

  @Get()
  @Requires('auditor')
  @ApiOperation({
    operationId: 'getRetention',
    summary: 'Get the state of retention: the last run, and what is due',
  })
  @ApiOkResponse({ type: RetentionView })
  get(@Actor() actor: Principal): Promise<RetentionView> {
    return this.retention.status(actor.orgId);
  }

  @Post('runs')
  @Requires('admin')
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'startRetentionRun',
    summary: 'Start a retention run now: remove recordings whose retention has ended',
  })
  @ApiAcceptedResponse({ type: RetentionRunView, description: 'The run has started; see `GET /retention`.' })
  @ApiErrors(409)
  start(@Changing() change: Change): Promise<RetentionRunView> {
    return this.retention.start(change);
  }
}
