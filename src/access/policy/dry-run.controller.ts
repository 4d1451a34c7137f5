import { Body, Controller, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { TakesLongText } from '../../platform/http/body/takes-long-text';
import { type Change, Changing } from '../../platform/http/routes/change';
import { GoneSignal } from '../../platform/http/routes/gone-signal';
import { DryRunService } from './dry-run.service';
import { DryRunBody, DryRunView } from './policy.dto';

@ApiTags('Guard Rails')
@Controller('guardrails/dry-run')
export class DryRunController {
  constructor(private readonly dryRuns: DryRunService) {}

  @Post()
  @Requires('auditor')
  @TakesLongText()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'dryRunGuardRails',
    summary: 'Test rules on a text and on recorded sessions',
  })
  @ApiOkResponse({ type: DryRunView })
  @ApiErrors(400, 413, 422)
  run(
    @Changing() change: Change,
    @Body() body: DryRunBody,
    @GoneSignal() gone: AbortSignal,
  ): Promise<DryRunView> {
    change.concerns({ type: 'guardrails', id: 'dry-run' }, 'execute');
    return this.dryRuns.run(change.actor, body, gone);
  }
}
