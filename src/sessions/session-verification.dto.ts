import { ApiProperty } from '@nestjs/swagger';

export const VERIFIED = ['valid', 'unsealed', 'unfinished', 'broken', 'purged'] as const;

export class RecordingFaultView {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The chunk; null: the recording as a whole.',
    example: 3,
  })
  seq!: number | null;

  @ApiProperty({ example: 'it does not follow the chunk before it' })
  reason!: string;
}

/** Whether a recording is what was recorded. The figures are counted, not read from the session. */
export class SessionVerificationView {
  @ApiProperty({
    enum: VERIFIED,
    description:
      '`valid`: complete, as it was recorded, and sealed. `unsealed`: complete and linked, but without a seal, as before there were seals. `unfinished`: as it was recorded so far; the session is not over. `broken`: not what was recorded; `faults` say why. `purged`: removed after its retention; hash and seal tell what was there.',
  })
  status!: (typeof VERIFIED)[number];

  @ApiProperty({ type: 'integer' })
  chunks!: number;

  @ApiProperty({ type: 'integer' })
  events!: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of the events’ contents.' })
  size!: number;

  @ApiProperty({
    description:
      'Hash of the last chunk (SHA-256, hex): whoever notes it can compare it with a file of evidence.',
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  chain_hash!: string;

  @ApiProperty({ description: 'Whether the gateway’s seal is on the recording, and fits.' })
  sealed!: boolean;

  @ApiProperty({ type: [RecordingFaultView], description: 'The first 100.' })
  faults!: RecordingFaultView[];
}
