import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../http/access';
import { ApiErrors } from '../http/api-errors';
import { ApiUuidParam, UuidParam } from '../http/uuid-param';
import type { Principal } from '../kernel/principal';
import { SessionVerificationView } from './session-verification.dto';
import { SessionVerificationService } from './session-verification.service';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionVerificationController {
  constructor(private readonly verification: SessionVerificationService) {}

  @Get(':session_id/verify')
  @Requires('signed-in')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'verifySession',
    summary: 'Verify that a recording is what was recorded; for its owner, auditors and admins',
    description:
      'Reads the whole recording. `GET /sessions/{session_id}?extension=evidence` is the same to be verified offline.',
  })
  @ApiUuidParam('session_id')
  @ApiOkResponse({ type: SessionVerificationView })
  @ApiErrors(400, 403, 404)
  verify(@Actor() actor: Principal, @UuidParam('session_id') id: string): Promise<SessionVerificationView> {
    return this.verification.verify(actor, id);
  }
}
