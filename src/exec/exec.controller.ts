import { Body, Controller, HttpCode, HttpStatus, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Requires } from '../http/access';
import { ApiErrors } from '../http/api-errors';
import { type Change, Changing } from '../http/change';
import { ExecBody, ExecView } from './exec.dto';
import { ExecService } from './exec.service';

@ApiTags('Sessions')
@Controller('sessions')
export class ExecController {
  constructor(private readonly exec: ExecService) {}

  @Post()
  @Requires('operator')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'createSession', summary: 'Run a script on a connection' })
  @ApiOkResponse({ type: ExecView, description: 'The script is over: `success`, `failed` or `blocked`.' })
  @ApiAcceptedResponse({
    type: ExecView,
    description: 'The script still runs after 50 seconds, or waits for a review.',
  })
  @ApiErrors(400, 404, 413, 422)
  async run(
    @Changing() change: Change,
    @Body() body: ExecBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExecView> {
    const view = await this.exec.run(change.actor, body);
    change.concerns({ type: 'sessions', id: view.session_id }, 'execute');
    if (view.output_status === 'running') response.status(HttpStatus.ACCEPTED);
    return view;
  }
}
