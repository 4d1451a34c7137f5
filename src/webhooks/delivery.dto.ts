import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageInfo, PageQuery } from '../http/page';
import { DELIVERY_STATES, type DeliveryState, type WebhookDelivery } from './delivery.entity';

export class DeliveryQuery extends PageQuery {
  @ApiPropertyOptional({ enum: DELIVERY_STATES, description: 'Only deliveries in this state.' })
  @IsOptional()
  @IsIn(DELIVERY_STATES, { message: `state must be one of: ${DELIVERY_STATES.join(', ')}` })
  state?: DeliveryState;
}

/** One event on its way to one webhook. */
export class DeliveryView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The `webhook-id` of the message, the same at each attempt.' })
  event_id!: string;

  @ApiProperty({ example: 'review.requested' })
  event_type!: string;

  @ApiProperty({
    format: 'uuid',
    description:
      'The session that the event is about; else the review, or the credential. Those of one and the same arrive in order.',
  })
  subject_id!: string;

  @ApiProperty({
    enum: DELIVERY_STATES,
    description: '`dead`: it is not tried any more, unless it is replayed.',
  })
  state!: DeliveryState;

  @ApiProperty({ type: 'integer', description: 'How often it was tried, since it was queued or replayed.' })
  attempts!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_attempt_at!: Date | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'HTTP status; null: there was no answer.' })
  last_status!: number | null;

  @ApiProperty({ type: String, nullable: true })
  last_error!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null: it is being sent, or waits for the one before it, or nobody will try again.',
  })
  next_attempt_at!: Date | null;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at!: Date | null;
}

export class DeliveryPage {
  @ApiProperty({ type: [DeliveryView] })
  data!: DeliveryView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

export function deliveryView(delivery: WebhookDelivery): DeliveryView {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    subject_id: delivery.subject,
    state: delivery.state,
    attempts: delivery.attempts,
    last_attempt_at: delivery.lastAttemptAt,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    next_attempt_at: delivery.lease === null ? delivery.nextAttemptAt : null,
    created_at: delivery.createdAt,
    finished_at: delivery.finishedAt,
  };
}
