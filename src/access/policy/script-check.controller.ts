import { Body, Controller, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { TakesLongText } from '../../platform/http/body/takes-long-text';
import { type Change, Changing } from '../../platform/http/routes/change';
import { GoneSignal } from '../../platform/http/routes/gone-signal';
import { NameParam } from '../../platform/http/dto/name-fields';
import { ScriptCheckBody, ScriptCheckView } from './script-check.dto';
import { ScriptCheckService } from './script-check.service';

@ApiTags('Connections')
@Controller('connections')
export class ScriptCheckController {
  constructor(private readonly checks: ScriptCheckService) {}

  @Post(':nameOrID/script-check')
  @Requires('operator')
  @TakesLongText()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'checkScript',
    summary: 'Check a script against the guardrails of a connection, without running it',
    description:
      'For those who may open the connection. It is in the audit log that somebody checked a script.',
  })
  @ApiOkResponse({ type: ScriptCheckView })
  @ApiErrors(400, 403, 404, 413, 422)
  async check(
    @Changing() change: Change,
    @NameParam('nameOrID') nameOrId: string,
    @Body() { script }: ScriptCheckBody,
    @GoneSignal() gone: AbortSignal,
  ): Promise<ScriptCheckView> {
    change.concerns({ type: 'connections', id: nameOrId }, 'execute');
    const { id, view } = await this.checks.check(change.actor, nameOrId, script, gone);
    change.concerns({ type: 'connections', id }, 'execute');
    return view;
  }
}
