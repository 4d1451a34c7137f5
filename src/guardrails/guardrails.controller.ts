import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../http/access';
import { ApiErrors } from '../http/api-errors';
import { UuidParam } from '../http/uuid-param';
import type { Principal } from '../kernel/principal';
import { GuardrailBody, GuardrailView } from './guardrail.dto';
import { GuardrailsService } from './guardrails.service';

@ApiTags('Guard Rails')
@Controller('guardrails')
export class GuardrailsController {
  constructor(private readonly guardrails: GuardrailsService) {}

  @Post()
  @Requires('admin')
  @ApiOperation({ operationId: 'createGuardRail', summary: 'Create a guard rail rule' })
  @ApiCreatedResponse({ type: GuardrailView })
  @ApiErrors(400, 409, 413, 422)
  create(@Actor() actor: Principal, @Body() body: GuardrailBody): Promise<GuardrailView> {
    return this.guardrails.create(actor.orgId, body);
  }

  @Get(':id')
  @Requires('auditor')
  @ApiOperation({ operationId: 'getGuardRail', summary: 'Get one guard rail rule' })
  @ApiParam({
    name: 'id',
    description: 'The unique identifier of the resource.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiOkResponse({ type: GuardrailView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @UuidParam('id') id: string): Promise<GuardrailView> {
    return this.guardrails.get(actor.orgId, id);
  }
}
