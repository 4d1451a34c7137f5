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
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../platform/http/routes/change';
import { CreatesAt } from '../../platform/http/routes/created';
import { PageQuery } from '../../platform/http/dto/page';
import { ApiUuidParam, UuidParam } from '../../platform/http/routes/uuid-param';
import { AnswersWithETag, type Versioned } from '../../platform/http/routes/versioned';
import { ApiIfMatch, type ExpectedVersion, IfMatch } from '../../platform/http/routes/versions';
import type { Principal } from '../../kernel/principal';
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

/** Routes for admins only, even for reading, because the URL alone often suffices to post to an endpoint. */
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
    summary: 'Create a webhook; its secret is shown only in this answer',
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
  @ApiOperation({ operationId: 'getWebhook', summary: 'Get a webhook without its secret' })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: WebhookView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @UuidParam('id') id: string): Promise<Versioned<WebhookView>> {
    return this.webhooks.get(actor.orgId, id);
  }

  @Put(':id')
  @Requires('admin')
  @AnswersWithETag()
  @ApiOperation({ operationId: 'updateWebhook', summary: 'Replace a webhook except for its secret' })
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
    summary: 'Delete a webhook and its pending deliveries',
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
    summary:
      'Rotate the secret of a webhook; the new one is shown only in this answer, and the previous one signs for 24 more hours',
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
