import { ApiProperty } from '@nestjs/swagger';

/** The public half of a host key of this gateway. */
export class SshHostKeyView {
  @ApiProperty({ description: 'Type of the key.', example: 'ssh-ed25519' })
  type!: string;

  @ApiProperty({ description: 'SHA-256 of the key, as `ssh` shows it.', example: 'SHA256:r0rGY4bHm+…' })
  fingerprint!: string;

  @ApiProperty({
    description: 'A line for the file `known_hosts` of SSH clients.',
    example: '[gateway.example.com]:2222 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA…',
  })
  known_hosts!: string;
}

export class SshHostKeysView {
  @ApiProperty({
    description: 'The host keys; empty while this gateway does not listen for SSH clients.',
    type: [SshHostKeyView],
  })
  keys!: SshHostKeyView[];
}
