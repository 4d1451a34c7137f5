import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, IsArray, IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { EVENT_TYPES, type DomainEventType } from '../events/event';
import { DescriptionField, HasNoNul } from '../http/fields';
import { PageInfo } from '../http/page';
import { AcceptsAndIgnores } from '../http/validation.pipe';
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
      'Where messages are posted to: https, on a public address, unless the setting WEBHOOK_ALLOWED_HOSTS names its host. It is a secret as far as it lets others post there: only admins see it.',
    maxLength: MAX_URL,
    example: 'https://hooks.example.com/gateway',
  })
  @IsString()
  @MaxLength(MAX_URL)
  @HasNoNul()
  url!: string;

  @ApiProperty({
    description: 'What it is told of.',
    type: 'array',
    items: { type: 'string', enum: [...EVENT_TYPES] },
    minItems: 1,
    maxItems: EVENT_TYPES.length,
    example: ['review.requested', 'review.decided'],
  })
  @IsArray()
  @ArrayNotEmpty()
  @IsIn(EVENT_TYPES, { each: true, message: `events must be of: ${EVENT_TYPES.join(', ')}` })
  events!: DomainEventType[];

  @ApiPropertyOptional({
    enum: WEBHOOK_FORMATS,
    description:
      '`standard`: type, time and data, as Standard Webhooks has it. `slack`, `teams`: one sentence with a link, as an incoming webhook of that chat takes it. Default: standard.',
  })
  @IsOptional()
  @IsIn(WEBHOOK_FORMATS)
  format?: WebhookFormat;

  @DescriptionField()
  description?: string;

  @ApiPropertyOptional({
    description:
      'While it is not, it is told of nothing new, and what was waiting goes on waiting. Default: true.',
  })
  @IsOptional()
  @IsBoolean()
  enabled?: boolean;
}

/** In place of the one that is stored, its secret excepted. */
@AcceptsAndIgnores(...READ_ONLY)
export class WebhookChangeBody extends WebhookBody {
  @ApiPropertyOptional({
    description:
      'Nothing, or the secret as it is: the answer to the creation can be sent back. `POST /webhooks/{id}/rotate-secret` sets another.',
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
    description: '`whsec_` and the base64 of 24 to 64 bytes. Default: a fresh one.',
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
    description: '`whsec_` and the base64 of 24 to 64 bytes. Default: a fresh one.',
    maxLength: MAX_SECRET,
    example: SECRET_EXAMPLE,
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SECRET)
  secret?: string;
}

/** A subscription to events. Its secret is not shown again. */
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
    description: 'Why the gateway disabled it by itself: the endpoint answered with status 410.',
  })
  disabled_reason!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: Date;
}

export class CreatedWebhookView extends WebhookView {
  @ApiProperty({
    description: 'Messages are signed with it, as Standard Webhooks has it. It is shown this once.',
    example: SECRET_EXAMPLE,
  })
  secret!: string;
}

export class WebhookSecretView {
  @ApiProperty({ description: 'The new secret. It is shown this once.', example: SECRET_EXAMPLE })
  secret!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Until then messages bear a signature by the secret before it, too.',
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
