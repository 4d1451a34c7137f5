import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../http/routes/access';
import { ApiErrors } from '../http/routes/api-errors';
import type { Principal } from '../../kernel/principal';
import { AuditList } from './audit-list';
import { AuditPage, AuditQuery, AuditVerificationView } from './audit.dto';
import { AuditService } from './audit.service';

@ApiTags('Audit')
@Controller('audit')
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly lines: AuditList,
  ) {}

  @Get('logs')
  @Requires('admin')
  @ApiOperation({ operationId: 'listAuditLogs', summary: 'List the audit log, newest first' })
  @ApiOkResponse({ type: AuditPage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: AuditQuery): Promise<AuditPage> {
    return this.lines.page(actor.orgId, query);
  }

  @Get('verify')
  @Requires('admin')
  @ApiOperation({ operationId: 'verifyAuditLog', summary: 'Verify the audit log' })
  @ApiOkResponse({ type: AuditVerificationView })
  verify(@Actor() actor: Principal): Promise<AuditVerificationView> {
    return this.audit.verify(actor.orgId);
  }
}
