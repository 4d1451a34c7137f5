import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageInfo, PageQuery } from '../../platform/http/dto/page';
import { DELIVERY_STATES, type DeliveryState, type WebhookDelivery } from './delivery.entity';

export class DeliveryQuery extends PageQuery {
  @ApiPropertyOptional({ enum: DELIVERY_STATES, description: 'Only deliveries in this state.' })
  @IsOptional()
  @IsIn(DELIVERY_STATES, { message: `state must be one of: ${DELIVERY_STATES.join(', ')}` })
  state?: DeliveryState;
}

/** The delivery of one event to one webhook. */
export class DeliveryView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The `webhook-id` of the message, the same in each attempt.' })
  event_id!: string;

  @ApiProperty({ example: 'review.requested' })
  event_type!: string;

  @ApiProperty({
    format: 'uuid',
    description:
      'The session that the event is about, otherwise the review or the credential. Messages with the same subject arrive in order.',
  })
  subject_id!: string;

  @ApiProperty({
    enum: DELIVERY_STATES,
    description: '`dead`: it is not sent any more unless it is replayed.',
  })
  state!: DeliveryState;

  @ApiProperty({
    type: 'integer',
    description: 'Number of attempts since the delivery was queued or replayed.',
  })
  attempts!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_attempt_at!: Date | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status of the last answer; null where there was none.',
  })
  last_status!: number | null;

  @ApiProperty({ type: String, nullable: true })
  last_error!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Time of the next attempt; null while it is being sent, while it waits for an earlier message, or when no further attempt will be made.',
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
