import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { ApiUuidParam, UuidParam } from '../../platform/http/routes/uuid-param';
import type { Principal } from '../../kernel/principal';
import { LedgerRangeQuery, LedgerVerificationView } from '../ledger/ledger-verification.dto';
import { LedgerVerificationService } from '../ledger/ledger-verification.service';
import { SessionVerificationView } from './session-verification.dto';
import { SessionVerificationService } from './session-verification.service';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionVerificationController {
  constructor(
    private readonly verification: SessionVerificationService,
    private readonly ledger: LedgerVerificationService,
  ) {}

  // `/sessions/verify` must be registered before `/sessions/:session_id`: see the order in `app.module.ts`.
  @Get('verify')
  @Requires('auditor')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'verifySessionLedger',
    summary: 'Verify the ledger of sessions',
    description:
      'Each session has entries in a ledger: numbered without gaps, linked by hash and signed. This verifies the entries, and compares the row of each session with them. It finds edited and removed rows, missing and moved entries, and an end that was cut off since it was noted on the audit log. Recordings are not read; `GET /sessions/{session_id}/verify` does that.',
  })
  @ApiOkResponse({ type: LedgerVerificationView })
  @ApiErrors(400)
  verifyLedger(@Actor() actor: Principal, @Query() query: LedgerRangeQuery): Promise<LedgerVerificationView> {
    return this.ledger.range(actor.orgId, query);
  }

  @Get(':session_id/verify')
  @Requires('signed-in')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'verifySession',
    summary: 'Verify a session and its recording',
    description:
      'For its owner, auditors and admins. Reads the whole recording, and compares the session with its entries in the ledger. `GET /sessions/{session_id}?extension=evidence` is the same to be verified offline.',
  })
  @ApiUuidParam('session_id')
  @ApiOkResponse({ type: SessionVerificationView })
  @ApiErrors(400, 403, 404)
  verify(@Actor() actor: Principal, @UuidParam('session_id') id: string): Promise<SessionVerificationView> {
    return this.verification.verify(actor, id);
  }
}
