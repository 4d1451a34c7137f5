import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { queryInteger } from '../../platform/http/dto/page';

/** The most entries that one answer covers. */
export const MAX_ENTRIES = 2_000;
const MAX_NUMBER = 999_999_999;

/** Range of ledger entries to verify. */
export class LedgerRangeQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_NUMBER,
    description: 'The first entry. Default: 1.',
    example: 1,
  })
  @queryInteger('from', 1, MAX_NUMBER)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_NUMBER)
  from = 1;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_NUMBER,
    description: `The last entry. Default: the last of the ledger. One answer verifies at most ${MAX_ENTRIES} entries.`,
    example: 2000,
  })
  @queryInteger('to', 1, MAX_NUMBER)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_NUMBER)
  to?: number;
}

export class LedgerFaultView {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Number of the entry; null for the ledger as a whole, or a session without an entry.',
    example: 17,
  })
  number!: number | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Session of the entry.' })
  session_id!: string | null;

  @ApiProperty({ example: 'user_email is not what was sealed' })
  reason!: string;
}

/**
 * Result of a verification: whether ledger entries and their sessions' rows are still as they were written.
 */
export class LedgerVerificationView {
  @ApiProperty({
    enum: ['valid', 'broken', 'unknown_key'],
    description:
      '`valid`: no faults. `broken`: `faults` list what was edited, removed or moved. `unknown_key`: no faults found, but some entries were signed by keys that are neither in `SECRET_KEY` nor published, so they could not be checked.',
  })
  status!: 'valid' | 'broken' | 'unknown_key';

  @ApiProperty({ type: 'integer', description: 'The first entry that was verified.', example: 1 })
  from!: number;

  @ApiProperty({ type: 'integer', description: 'The last entry that was verified; 0 where there is none.' })
  to!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Value of `from` to continue; null when all requested entries were verified.',
  })
  next!: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'Number of the last entry in the ledger; 0 for an empty ledger.',
  })
  head!: number;

  @ApiProperty({
    description:
      'Hash of the last entry (SHA-256, hex). Keep number and hash elsewhere to detect later whether entries were removed from the end.',
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  head_hash!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'The last entry whose hash is in the audit log. Only this gateway would notice the removal of later entries.',
  })
  anchored!: number | null;

  @ApiProperty({ type: 'integer', description: 'Number of sessions whose entry is pending.' })
  waiting!: number;

  @ApiProperty({ type: [String], description: 'Ids of unknown keys that signed entries.' })
  unknown_keys!: string[];

  @ApiProperty({ type: [LedgerFaultView], description: 'The first 100.' })
  faults!: LedgerFaultView[];
}
