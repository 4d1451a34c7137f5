import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../../platform/http/routes/access';
import { AnsweredFromMemory } from '../../../platform/http/ready/answered-from-memory';
import { ApiErrors } from '../../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../../platform/http/routes/change';
import { AnswersWithTag } from '../../../platform/http/routes/versioned';
import { ApiIfMatch, type ExpectedVersion, IfMatch } from '../../../platform/http/routes/versions';
import type { Principal } from '../../../kernel/principal';
import { CheckedOrganizationView, OrganizationBody, OrganizationView } from './organization.dto';
import { OrganizationsService } from './organizations.service';

@ApiTags('Organization Management')
@Controller('organization')
export class OrganizationController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @AnsweredFromMemory('organizations')
  @Requires('auditor')
  @AnswersWithTag()
  @ApiOperation({ operationId: 'getOrganization', summary: 'Get the organization and its features' })
  @ApiOkResponse({ type: OrganizationView })
  get(@Actor() actor: Principal): Promise<OrganizationView> {
    return this.organizations.view(actor.orgId);
  }

  @Patch()
  @Requires('admin')
  @AnswersWithTag()
  @ApiIfMatch()
  @ApiOperation({ operationId: 'updateOrganization', summary: 'Update the features of the organization' })
  @ApiOkResponse({ type: CheckedOrganizationView })
  @ApiErrors(400, 412, 413)
  update(
    @Changing() change: Change,
    @IfMatch() expected: ExpectedVersion,
    @Body() body: OrganizationBody,
  ): Promise<CheckedOrganizationView> {
    return this.organizations.setFeatures(change, expected, body);
  }
}
