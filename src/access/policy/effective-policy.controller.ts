import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { NameParam } from '../../platform/http/dto/name-fields';
import type { Principal } from '../../kernel/principal';
import { EffectivePolicyService } from './effective-policy.service';
import { EffectivePolicyView, PolicyQuery } from './policy.dto';

@ApiTags('Connections')
@Controller('connections')
export class EffectivePolicyController {
  constructor(private readonly policies: EffectivePolicyService) {}

  @Get(':nameOrID/effective-policy')
  @Requires('signed-in')
  @ApiOperation({
    operationId: 'getEffectivePolicy',
    summary: 'Get the effective policy of a user on a connection, with reasons',
    description: 'Everybody may ask about themselves; auditors and admins about everybody.',
  })
  @ApiOkResponse({ type: EffectivePolicyView })
  @ApiErrors(400, 403, 404, 409, 422)
  get(
    @Actor() actor: Principal,
    @NameParam('nameOrID') nameOrId: string,
    @Query() query: PolicyQuery,
  ): Promise<EffectivePolicyView> {
    return this.policies.of(actor, nameOrId, query);
  }
}
