import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  HttpStatus,
  Post,
  Put,
  Query,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Actor, Requires } from '../http/access';
import { ApiErrors } from '../http/api-errors';
import { type Change, Changing } from '../http/change';
import { CreatesAt } from '../http/created';
import { PageQuery } from '../http/page';
import { ApiUuidParam, UuidParam } from '../http/uuid-param';
import { AnswersWithETag, type Versioned } from '../http/versioned';
import { ApiIfMatch, type ExpectedVersion, IfMatch } from '../http/versions';
import type { Principal } from '../kernel/principal';
import {
  WebhookCreationBody,
  CreatedWebhookView,
  WebhookChangeBody,
  WebhookPage,
  WebhookSecretBody,
  WebhookSecretView,
  WebhookView,
} from './webhook.dto';
import { WebhooksService } from './webhooks.service';

/** For admins alone, reading too: the address of an endpoint is often all that it takes to post there. */
@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Requires('admin')
  @ApiOperation({ operationId: 'listWebhooks', summary: 'List webhooks, newest first' })
  @ApiOkResponse({ type: WebhookPage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: PageQuery): Promise<WebhookPage> {
    return this.webhooks.list(actor.orgId, query);
  }

  @Post()
  @Requires('admin')
  @CreatesAt('id')
  @AnswersWithETag()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Have events sent to an endpoint; the secret that signs them is shown once',
  })
  @ApiCreatedResponse({ type: CreatedWebhookView })
  @ApiErrors(400, 413, 422)
  create(
    @Changing() change: Change,
    @Body() body: WebhookCreationBody,
  ): Promise<Versioned<CreatedWebhookView>> {
    return this.webhooks.create(change, body);
  }

  @Get(':id')
  @Requires('admin')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'getWebhook', summary: 'Get one webhook, without its secret' })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: WebhookView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @UuidParam('id') id: string): Promise<Versioned<WebhookView>> {
    return this.webhooks.get(actor.orgId, id);
  }

  @Put(':id')
  @Requires('admin')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'updateWebhook', summary: 'Replace a webhook whole, but for its secret' })
  @ApiUuidParam('id')
  @ApiIfMatch()
  @ApiOkResponse({ type: WebhookView })
  @ApiErrors(400, 404, 412, 413, 422)
  replace(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersion,
    @Body() body: WebhookChangeBody,
  ): Promise<Versioned<WebhookView>> {
    return this.webhooks.replace(change, id, expected, body);
  }

  @Delete(':id')
  @Requires('admin')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook, and what it is still to be sent',
  })
  @ApiUuidParam('id')
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 412)
  remove(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersion,
  ): Promise<void> {
    return this.webhooks.remove(change, id, expected);
  }

  @Post(':id/rotate-secret')
  @Requires('admin')
  @HttpCode(HttpStatus.OK)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Sign with another secret, shown once; for 24 hours with the one before it, too',
  })
  @ApiUuidParam('id')
  @ApiIfMatch()
  @ApiOkResponse({ type: WebhookSecretView })
  @ApiErrors(400, 404, 412, 413, 422)
  rotate(
    @Changing() change: Change,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersion,
    @Body() body: WebhookSecretBody,
  ): Promise<WebhookSecretView> {
    return this.webhooks.rotate(change, id, expected, body);
  }
}
