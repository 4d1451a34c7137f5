import { ApiProperty } from '@nestjs/swagger';

/** Whether the target of a connection answers. */
export class ReachView {
  @ApiProperty()
  success!: boolean;

  @ApiProperty({ description: 'What was found, in plain words; never a part of the secret.' })
  message!: string;

  @ApiProperty({ type: 'integer', description: 'Milliseconds that it took.' })
  duration_ms!: number;
}
