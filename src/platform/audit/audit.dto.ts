import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { CHANGE_ACTIONS } from '../http/routes/change';
import { ANY_VALUE } from '../http/document/schemas';
import { IsTime } from '../http/dto/fields';
import { PageInfo, PageQuery } from '../http/dto/page';
import { type AuditLine, OUTCOMES, type Outcome } from './audit-log.entity';

/** Filters of the audit log; all given filters must match. */
export class AuditQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Subject identifier or e-mail of the actor.', maxLength: 256 })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  actor?: string;

  @ApiPropertyOptional({
    description: 'Type of the resource, as in its path.',
    example: 'guardrails',
    maxLength: 64,
  })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  resource_type?: string;

  @ApiPropertyOptional({ enum: CHANGE_ACTIONS, description: 'Action.' })
  @IsOptional()
  @IsIn(CHANGE_ACTIONS)
  action?: string;

  @ApiPropertyOptional({ enum: OUTCOMES, description: 'Outcome.' })
  @IsOptional()
  @IsIn(OUTCOMES)
  outcome?: Outcome;

  @ApiPropertyOptional({ format: 'date-time', description: 'Not before this time.' })
  @IsOptional()
  @IsTime()
  created_after?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Not after this time.' })
  @IsOptional()
  @IsTime()
  created_before?: string;

  @ApiPropertyOptional({ description: 'The `x-request-id` of the request.', maxLength: 128 })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  request_id?: string;
}

export class FieldChangeView {
  @ApiProperty({ example: 'description' })
  field!: string;

  @ApiProperty({ ...ANY_VALUE, description: 'The previous value; `[redacted]` where it is sensitive.' })
  before!: unknown;

  @ApiProperty({ ...ANY_VALUE, description: 'The new value; `[redacted]` where it is sensitive.' })
  after!: unknown;
}

export class AuditActorView {
  @ApiProperty({ description: 'Subject identifier.' })
  id!: string;

  @ApiProperty()
  email!: string;

  @ApiProperty({ enum: ['user', 'machine'] })
  type!: string;
}

/** A line of the audit log. */
export class AuditLineView {
  @ApiProperty({ type: 'integer', description: 'Number of the line in the chain, from 1.' })
  seq!: number;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ type: AuditActorView })
  actor!: AuditActorView;

  @ApiProperty({ enum: CHANGE_ACTIONS })
  action!: string;

  @ApiProperty({ example: 'guardrails' })
  resource_type!: string;

  @ApiProperty({ description: 'Identifier or name of the resource; empty when there is none.' })
  resource_id!: string;

  @ApiProperty({ enum: OUTCOMES })
  outcome!: Outcome;

  @ApiProperty({ type: 'integer', description: 'HTTP status of the answer.' })
  status!: number;

  @ApiProperty({ description: 'Network address of the caller.' })
  client_address!: string;

  @ApiProperty()
  request_id!: string;

  @ApiProperty({ type: [FieldChangeView] })
  changes!: FieldChangeView[];

  @ApiProperty({ description: 'SHA-256 over this line and the previous hash.' })
  hash!: string;
}

export class AuditPage {
  @ApiProperty({ type: [AuditLineView] })
  data!: AuditLineView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

/** The result of verifying the audit log. */
export class AuditVerificationView {
  @ApiProperty()
  valid!: boolean;

  @ApiProperty({ type: 'integer', description: 'Number of valid lines from the first one.' })
  checked!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The first line that was changed or is missing.',
  })
  broken_at!: number | null;

  @ApiProperty({
    description:
      'Hash of the last valid line. Keep it elsewhere to prove later that no lines were removed from the end.',
  })
  head!: string;
}

export function auditView(line: AuditLine): AuditLineView {
  return {
    seq: line.seq,
    created_at: line.createdAt,
    actor: { id: line.actorId, email: line.actorEmail, type: line.actorType },
    action: line.action,
    resource_type: line.resourceType,
    resource_id: line.resourceId,
    outcome: line.outcome,
    status: line.status,
    client_address: line.clientAddress,
    request_id: line.requestId,
    changes: line.changes,
    hash: line.hash.toString('hex'),
  };
}
