import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../http/routes/access';
import { ApiErrors } from '../http/routes/api-errors';
import { EvidenceKeysView } from './evidence-keys.dto';
import { PublishedKeys } from './published-keys';

@ApiTags('Server')
@Controller('evidence-keys')
export class EvidenceKeysController {
  constructor(private readonly keys: PublishedKeys) {}

  @Get()
  @Public()
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({
    operationId: 'listEvidenceKeys',
    summary: 'List the public keys that verify evidence',
    description:
      'A JSON Web Key Set. Save it to a file and run `npm run verify-recording -- <file> --public-keys <keys>`; no secret is needed. Keys stay in the set after the secret key was rotated.',
  })
  @ApiOkResponse({ type: EvidenceKeysView })
  @ApiErrors(500, 503)
  async list(): Promise<EvidenceKeysView> {
    const keys = [...(await this.keys.load()).values()];
    return {
      keys: keys.map(({ id, x }) => ({ kty: 'OKP', crv: 'Ed25519', kid: id, x, use: 'sig', alg: 'EdDSA' })),
    };
  }
}
