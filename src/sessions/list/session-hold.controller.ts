import { Body, Controller, HttpCode, HttpStatus, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../platform/http/routes/change';
import { ApiUuidParam, UuidParam } from '../../platform/http/routes/uuid-param';
import { SessionHoldBody } from './session-hold.dto';
import { SessionHoldService } from './session-hold.service';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionHoldController {
  constructor(private readonly holds: SessionHoldService) {}

  @Put(':session_id/hold')
  @Requires('admin')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({
    operationId: 'setSessionHold',
    summary: 'Set or release the legal hold of a session, which exempts it from retention',
  })
  @ApiUuidParam('session_id')
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 409, 413, 422)
  set(
    @Changing() change: Change,
    @UuidParam('session_id') id: string,
    @Body() body: SessionHoldBody,
  ): Promise<void> {
    return this.holds.set(change, id, body);
  }
}
