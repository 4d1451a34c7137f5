import { ApiProperty } from '@nestjs/swagger';
import { ENTRY_KINDS, type EntryKind } from '../ledger/ledger-entry';

export const VERIFIED = ['valid', 'unsealed', 'unfinished', 'broken', 'purged', 'unknown_key'] as const;

export class RecordingFaultView {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Number of the chunk; null for the recording as a whole, or the session.',
    example: 3,
  })
  seq!: number | null;

  @ApiProperty({ example: 'it does not follow the previous chunk' })
  reason!: string;
}

/** An entry of the session in the ledger. */
export class SessionEntryView {
  @ApiProperty({ type: 'integer', description: 'Number of the entry in the ledger.', example: 17 })
  number!: number;

  @ApiProperty({
    enum: ENTRY_KINDS,
    description:
      'Why it was written. `opened`: the session ran. `closed`: it is over. `adopted`: it was over before there was a ledger, and was sealed as it was found then. `grown`: a journal brought more of the recording. `metadata`, `hold`: that was changed. `removed`: the recording was removed after its retention. `missing`: its row was gone.',
  })
  kind!: EntryKind;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was written.' })
  recorded_at!: Date;

  @ApiProperty({ description: 'Id of the key that signed it.', example: '9f86d081' })
  key_id!: string;
}

/**
 * Whether a session and its recording are unchanged since they were recorded. The totals are counted from the
 * recording, not read from the session's row.
 */
export class SessionVerificationView {
  @ApiProperty({
    enum: VERIFIED,
    description:
      '`valid`: the session and its recording are complete, as they were recorded, and sealed. `unsealed`: complete and linked, but without a seal, as before there were seals. `unfinished`: as recorded so far; the session is not over. `broken`: not what was recorded; `faults` say why. `purged`: the recording was removed after its retention, and the removal is sealed. `unknown_key`: nothing is wrong as far as it can be checked, but the seals were made by keys that are neither in `SECRET_KEY` nor published; `unknown_keys` has their ids.',
  })
  status!: (typeof VERIFIED)[number];

  @ApiProperty({ type: 'integer' })
  chunks!: number;

  @ApiProperty({ type: 'integer' })
  events!: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of the events’ contents.' })
  size!: number;

  @ApiProperty({
    description: 'Hash of the last chunk (SHA-256, hex), to be compared with an evidence file.',
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  chain_hash!: string;

  @ApiProperty({ description: 'Whether the recording has a valid seal of the gateway.' })
  sealed!: boolean;

  @ApiProperty({
    type: [SessionEntryView],
    description:
      'Entries of the session in the ledger, in order. The session’s row must match the last one. Empty while the first one is pending.',
  })
  entries!: SessionEntryView[];

  @ApiProperty({
    type: [String],
    description: 'Ids of unknown keys that made seals or signatures.',
    example: [],
  })
  unknown_keys!: string[];

  @ApiProperty({ type: [RecordingFaultView], description: 'The first 100.' })
  faults!: RecordingFaultView[];
}
