import { ApiProperty } from '@nestjs/swagger';

/** An Ed25519 public key as a JSON Web Key (RFC 8037). */
export class EvidenceKeyView {
  @ApiProperty({ enum: ['OKP'] })
  kty!: 'OKP';

  @ApiProperty({ enum: ['Ed25519'] })
  crv!: 'Ed25519';

  @ApiProperty({
    description: 'Id of the key, as in evidence files.',
    example: '9f86d081',
  })
  kid!: string;

  @ApiProperty({
    description: 'The public key, base64url.',
    example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  })
  x!: string;

  @ApiProperty({ enum: ['sig'] })
  use!: 'sig';

  @ApiProperty({ enum: ['EdDSA'] })
  alg!: 'EdDSA';
}

/** A JSON Web Key Set (RFC 7517, section 5). */
export class EvidenceKeysView {
  @ApiProperty({ type: [EvidenceKeyView] })
  keys!: EvidenceKeyView[];
}
