import { ApiProperty } from '@nestjs/swagger';

/** Whether the target of a connection answers. */
export class ReachView {
  @ApiProperty()
  success!: boolean;

  @ApiProperty({ description: 'The result in plain words, without any part of the secret.' })
  message!: string;

  @ApiProperty({ type: 'integer', description: 'Duration in milliseconds.' })
  duration_ms!: number;
}
