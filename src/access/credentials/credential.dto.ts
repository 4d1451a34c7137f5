import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { AccessReasonField } from '../../platform/http/dto/fields';
import { PageInfo } from '../../platform/http/dto/page';
import { AcceptsAndIgnores } from '../../platform/http/validation.pipe';
import type { ConnectionCredential } from './credential.entity';

/** Resource type of credentials in the audit log, as in the path of the API. */
export const TYPE = 'connection-credentials';

const MIN_SECONDS = 60;
/** Maximum lifetime: 48 hours, as in access request rules. The database refuses more. */
const MAX_SECONDS = 172_800;
export const DEFAULT_SECONDS = 3_600;

const READ_ONLY = [
  'id',
  'connection_name',
  'connection_type',
  'connection_subtype',
  'session_id',
  'has_review',
  'review_id',
  'expire_at',
  'created_at',
  'connection_credentials',
  'status',
  'revoked_at',
  'last_used_at',
];

@AcceptsAndIgnores(...READ_ONLY)
export class CredentialBody {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: MIN_SECONDS,
    maximum: MAX_SECONDS,
    nullable: true,
    description: `Duration of the access in seconds. Default: ${DEFAULT_SECONDS}, or the maximum of the connection’s access request rules, if that is less. A pending or approved request keeps the duration it was made with; who approves it may shorten it.`,
    example: 28_800,
  })
  @IsOptional()
  @IsInt()
  @Min(MIN_SECONDS)
  @Max(MAX_SECONDS)
  access_duration_seconds?: number | null;

  @AccessReasonField()
  reason?: string | null;
}

/** Fields that requested, issued and listed credentials have in common. */
abstract class CredentialHead {
  @ApiProperty({ format: 'uuid', description: 'Id, which is also the user name to connect with.' })
  id!: string;

  @ApiProperty({ example: 'pg-prod' })
  connection_name!: string;

  @ApiProperty({ example: 'database' })
  connection_type!: string;

  @ApiProperty({ example: 'postgres' })
  connection_subtype!: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Always null: a session refers to its credential, and begins later.',
  })
  session_id!: string | null;

  @ApiProperty({ description: 'Whether the access needs approval.' })
  has_review!: boolean;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description:
      'The review of the request, with the id of the credential; null where no approval was needed.',
  })
  review_id!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Reason for the request; null where none was given.',
  })
  reason!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;
}

/** Data that a client of the target's own protocol needs to connect. */
export class ConnectionCredentialsView {
  @ApiProperty({ example: 'gateway.example.com' })
  hostname!: string;

  @ApiProperty({ type: 'integer', example: 15_432 })
  port!: number;

  @ApiProperty({ format: 'uuid', description: 'The id of the credential.' })
  username!: string;

  @ApiProperty({ description: 'The password. It is shown only once; the gateway does not store it.' })
  password!: string;

  @ApiProperty({
    description:
      'The name of the database, as the database itself has it. The user name says which connection it is of.',
    example: 'orders',
  })
  database_name!: string;

  @ApiProperty({
    description: 'Connection string, which contains the password.',
    example: 'postgres://…:…@gateway.example.com:15432/orders?sslmode=require',
  })
  connection_string!: string;
}

/**
 * The response to a request for a credential. An issued credential and one that waits for approval have the
 * same schema, because generated clients support only one type for all successes of an operation.
 */
export class IssuedCredentialView extends CredentialHead {
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the credential and its sessions end; null while the access has not started.',
  })
  expire_at!: Date | null;

  @ApiProperty({
    type: ConnectionCredentialsView,
    nullable: true,
    description:
      'The password, shown only once; null while the review is not approved. Then repeat the request.',
  })
  connection_credentials!: ConnectionCredentialsView | null;
}

export const CREDENTIAL_STATUSES = [
  'pending',
  'approved',
  'active',
  'expired',
  'revoked',
  'rejected',
] as const;

export class CredentialView extends CredentialHead {
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the credential and its sessions end; null while the access has not started.',
  })
  expire_at!: Date | null;

  @ApiProperty({
    enum: CREDENTIAL_STATUSES,
    description:
      '`pending`: waits for its reviewers; `approved`: starts with its first use; `expired`: ended, not decided in time, or not used in time.',
  })
  status!: (typeof CREDENTIAL_STATUSES)[number];

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revoked_at!: Date | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Start of its last session; null where there was none.',
  })
  last_used_at!: Date | null;
}

export class CredentialPage {
  @ApiProperty({ type: [CredentialView] })
  data!: CredentialView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

/** Present name of a connection; it may have been renamed since the credential was issued. */
export interface ConnectionName {
  readonly name: string;
  readonly type: string;
  readonly subtype: string;
}

type Row = Pick<ConnectionCredential, 'id' | 'reviewId' | 'expireAt' | 'createdAt' | 'reason'>;

export function credentialHead(
  { id, reviewId, expireAt, createdAt, reason }: Row,
  { name, type, subtype }: ConnectionName,
): CredentialHead & { expire_at: Date | null } {
  return {
    id,
    connection_name: name,
    connection_type: type,
    connection_subtype: subtype,
    session_id: null,
    has_review: reviewId !== null,
    review_id: reviewId,
    expire_at: expireAt,
    reason,
    created_at: createdAt,
  };
}

/** The state of a credential's review. */
interface Standing {
  readonly status: string;
  /** Time until which a pending review waits, or an approval is valid. */
  readonly expiresAt: Date;
}

/** @param standing state of the credential's review; undefined: no approval was needed */
export function statusOf(
  { revokedAt, expireAt }: Pick<ConnectionCredential, 'revokedAt' | 'expireAt'>,
  standing: Standing | undefined,
  now: number,
): CredentialView['status'] {
  const ended = standing === undefined ? undefined : endings[standing.status];
  if (ended !== undefined) return ended;
  if (standing === undefined && revokedAt !== null) return 'revoked';
  const until = expireAt ?? standing?.expiresAt;
  if (until !== undefined && until.getTime() <= now) return 'expired';
  if (standing?.status === 'PENDING') return 'pending';
  return expireAt === null ? 'approved' : 'active';
}

const endings: Readonly<Record<string, CredentialView['status']>> = {
  REJECTED: 'rejected',
  REVOKED: 'revoked',
  EXPIRED: 'expired',
};
