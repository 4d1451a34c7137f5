import { Body, Controller, HttpCode, HttpStatus, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { TakesLongText } from '../../platform/http/body/takes-long-text';
import { type Change, Changing } from '../../platform/http/routes/change';
import { Traceparent } from '../../platform/http/logs/traceparent';
import { ApiUuidParam, UuidParam } from '../../platform/http/routes/uuid-param';
import { ApprovedExecBody, ExecBody, ExecView } from './exec.dto';
import { ExecService } from './exec.service';

@ApiTags('Sessions')
@Controller('sessions')
export class ExecController {
  constructor(private readonly exec: ExecService) {}

  @Post()
  @Requires('operator')
  @TakesLongText()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'createSession', summary: 'Run a script on a connection' })
  @ApiOkResponse({ type: ExecView, description: 'The script is over: `success`, `failed` or `blocked`.' })
  @ApiAcceptedResponse({
    type: ExecView,
    description:
      'The script is still running after 50 seconds (`running`), or waits for a review (`waiting`).',
  })
  @ApiErrors(400, 404, 413, 422)
  async run(
    @Changing() change: Change,
    @Body() body: ExecBody,
    @Traceparent() traceparent: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExecView> {
    // A refused request gets an audit line with the connection's name too, even if no such connection exists.
    const said = { reason: body.reason ?? null };
    change.concerns({ type: 'connections', id: body.connection }, 'execute', said);
    const view = await this.exec.run(change.actor, body, traceparent);
    change.concerns({ type: 'sessions', id: view.session_id }, 'execute', said);
    if (['running', 'waiting'].includes(view.output_status)) response.status(HttpStatus.ACCEPTED);
    return view;
  }

  @Post(':session_id/exec')
  @Requires('operator')
  @TakesLongText()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'execSession',
    summary: 'Run an approved script, once; for its requester and admins',
  })
  @ApiUuidParam('session_id')
  @ApiBody({ type: ApprovedExecBody, required: false })
  @ApiOkResponse({ type: ExecView, description: 'The script is over: `success`, `failed` or `blocked`.' })
  @ApiAcceptedResponse({ type: ExecView, description: 'The script is still running after 50 seconds.' })
  @ApiErrors(400, 404, 409, 413, 422)
  async runApproved(
    @Changing() change: Change,
    @UuidParam('session_id') id: string,
    @Body() body: ApprovedExecBody,
    @Traceparent() traceparent: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExecView> {
    change.concerns({ type: 'sessions', id }, 'execute');
    const view = await this.exec.runApproved(change.actor, id, body, traceparent);
    if (view.output_status === 'running') response.status(HttpStatus.ACCEPTED);
    return view;
  }
}
