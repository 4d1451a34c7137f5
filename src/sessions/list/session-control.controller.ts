import { Body, Controller, HttpCode, HttpStatus, Patch, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../platform/http/routes/change';
import { ApiUuidParam, UuidParam } from '../../platform/http/routes/uuid-param';
import { SessionMetadataBody } from './session-control.dto';
import { SessionControlService } from './session-control.service';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionControlController {
  constructor(private readonly control: SessionControlService) {}

  @Post(':session_id/kill')
  @Requires('operator')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({
    operationId: 'killSession',
    summary: 'End a session on any gateway; for its owner and admins',
  })
  @ApiUuidParam('session_id')
  @ApiNoContentResponse({ description: 'The session is over.' })
  @ApiAcceptedResponse({ description: 'The session is being ended, but was not over after 3 seconds.' })
  @ApiErrors(400, 404, 409)
  async kill(
    @Changing() change: Change,
    @UuidParam('session_id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    if (!(await this.control.kill(change, id))) response.status(HttpStatus.ACCEPTED);
  }

  @Patch(':session_id/metadata')
  @Requires('operator')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({
    operationId: 'updateSessionMetadata',
    summary: 'Update keys of a session’s metadata; for its owner and admins',
  })
  @ApiUuidParam('session_id')
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 413, 422)
  patchMetadata(
    @Changing() change: Change,
    @UuidParam('session_id') id: string,
    @Body() body: SessionMetadataBody,
  ): Promise<void> {
    return this.control.patchMetadata(change, id, body.metadata);
  }
}
