import { Controller, Get, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../http/access';
import { ApiErrors } from '../http/api-errors';
import { type Change, Changing } from '../http/change';
import type { Principal } from '../kernel/principal';
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
    summary: 'Get how far the removal of recordings is whose retention has ended',
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
    summary: 'Remove recordings whose retention has ended now, not when it is time',
  })
  @ApiAcceptedResponse({ type: RetentionRunView, description: 'It goes on; see `GET /retention`.' })
  @ApiErrors(409)
  start(@Changing() change: Change): Promise<RetentionRunView> {
    return this.retention.start(change);
  }
}
