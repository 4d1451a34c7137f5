import { Controller, Get, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../platform/http/routes/change';
import { ApiUuidParam, UuidParam } from '../../platform/http/routes/uuid-param';
import type { Principal } from '../../kernel/principal';
import { DeliveriesService } from './deliveries.service';
import { DeliveryPage, DeliveryQuery, DeliveryView } from './delivery.dto';

@ApiTags('Webhooks')
@Controller('webhooks/:id')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('deliveries')
  @Requires('admin')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook, sent and pending, newest first',
  })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: DeliveryPage })
  @ApiErrors(400, 404)
  list(
    @Actor() actor: Principal,
    @UuidParam('id') id: string,
    @Query() query: DeliveryQuery,
  ): Promise<DeliveryPage> {
    return this.deliveries.list(actor.orgId, id, query);
  }

  @Post('deliveries/:deliveryId/replay')
  @Requires('admin')
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'replayWebhookDelivery',
    summary: 'Send a delivered or dead delivery again',
  })
  @ApiUuidParam('id')
  @ApiUuidParam('deliveryId')
  @ApiAcceptedResponse({ type: DeliveryView, description: 'The delivery is queued.' })
  @ApiErrors(400, 404, 409)
  replay(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @UuidParam('deliveryId') deliveryId: string,
  ): Promise<DeliveryView> {
    return this.deliveries.replay(change, id, deliveryId);
  }

  @Post('test')
  @Requires('admin')
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a message of type `webhook.test` to check that the endpoint receives it',
  })
  @ApiUuidParam('id')
  @ApiAcceptedResponse({ type: DeliveryView, description: 'The delivery is queued.' })
  @ApiErrors(400, 404, 409)
  test(@Changing() change: Change, @UuidParam('id') id: string): Promise<DeliveryView> {
    return this.deliveries.test(change, id);
  }
}
