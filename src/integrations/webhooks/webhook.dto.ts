import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, IsArray, IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { EVENT_TYPES, type DomainEventType } from '../../platform/events/event';
import { DescriptionField, HasNoNul } from '../../platform/http/dto/fields';
import { PageInfo } from '../../platform/http/dto/page';
import { AcceptsAndIgnores } from '../../platform/http/validation.pipe';
import { WEBHOOK_FORMATS, type WebhookFormat } from './message';
import type { Webhook } from './webhook.entity';

const READ_ONLY = ['id', 'org_id', 'disabled_reason', 'created_at', 'updated_at'];
const MAX_URL = 2_048;
const MAX_SECRET = 128;
const SECRET_EXAMPLE = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

@AcceptsAndIgnores(...READ_ONLY)
export class WebhookBody {
  @ApiProperty({
    description:
      'URL to which messages are posted: https, on a public address, unless the setting WEBHOOK_ALLOWED_HOSTS lists its host. Treat it as a secret: often it is all that is needed to post there. Only admins see it.',
    maxLength: MAX_URL,
    example: 'https://hooks.example.com/gateway',
  })
  @IsString()
  @MaxLength(MAX_URL)
  @HasNoNul()
  url!: string;

  @ApiProperty({
    description: 'Events that are sent to it.',
    type: 'array',
    items: { type: 'string', enum: [...EVENT_TYPES] },
    minItems: 1,
    maxItems: EVENT_TYPES.length,
    example: ['review.requested', 'review.decided'],
  })
  @IsArray()
  @ArrayNotEmpty()
  @IsIn(EVENT_TYPES, { each: true, message: `events must contain only: ${EVENT_TYPES.join(', ')}` })
  events!: DomainEventType[];

  @ApiPropertyOptional({
    enum: WEBHOOK_FORMATS,
    description:
      '`standard`: type, time and data, in the format of Standard Webhooks. `slack`, `teams`: one sentence with a link, in the format of that chat’s incoming webhooks. Default: standard.',
  })
  @IsOptional()
  @IsIn(WEBHOOK_FORMATS)
  format?: WebhookFormat;

  @DescriptionField()
  description?: string;

  @ApiPropertyOptional({
    description: 'While false, no new events are queued, and pending deliveries stay pending. Default: true.',
  })
  @IsOptional()
  @IsBoolean()
  enabled?: boolean;
}

/** Body of a request that replaces a webhook except for its secret. */
@AcceptsAndIgnores(...READ_ONLY)
export class WebhookChangeBody extends WebhookBody {
  @ApiPropertyOptional({
    description:
      'Omit it, or send the current secret: the answer to the creation can be sent back unchanged. To change it, use `POST /webhooks/{id}/rotate-secret`.',
    maxLength: MAX_SECRET,
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SECRET)
  secret?: string;
}

@AcceptsAndIgnores(...READ_ONLY)
export class WebhookCreationBody extends WebhookBody {
  @ApiPropertyOptional({
    description: '`whsec_` followed by the base64 of 24 to 64 bytes. Default: a random secret.',
    maxLength: MAX_SECRET,
    example: SECRET_EXAMPLE,
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SECRET)
  secret?: string;
}

export class WebhookSecretBody {
  @ApiPropertyOptional({
    description: '`whsec_` followed by the base64 of 24 to 64 bytes. Default: a random secret.',
    maxLength: MAX_SECRET,
    example: SECRET_EXAMPLE,
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SECRET)
  secret?: string;
}

/** A subscription to events, without its secret. */
export class WebhookView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'https://hooks.example.com/gateway' })
  url!: string;

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...EVENT_TYPES] } })
  events!: DomainEventType[];

  @ApiProperty({ enum: WEBHOOK_FORMATS })
  format!: WebhookFormat;

  @ApiProperty()
  description!: string;

  @ApiProperty()
  enabled!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the gateway disabled the webhook: the endpoint answered with status 410.',
  })
  disabled_reason!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: Date;
}

export class CreatedWebhookView extends WebhookView {
  @ApiProperty({
    description: 'Secret with which messages are signed, as in Standard Webhooks. It is shown only once.',
    example: SECRET_EXAMPLE,
  })
  secret!: string;
}

export class WebhookSecretView {
  @ApiProperty({ description: 'The new secret. It is shown only once.', example: SECRET_EXAMPLE })
  secret!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Until then, messages are also signed with the previous secret.',
  })
  previous_valid_until!: Date;
}

export class WebhookPage {
  @ApiProperty({ type: [WebhookView] })
  data!: WebhookView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

export function webhookView(webhook: Webhook): WebhookView {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    format: webhook.format,
    description: webhook.description,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
  };
}
