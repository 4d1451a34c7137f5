import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../http/routes/access';
import { ApiErrors } from '../http/routes/api-errors';
import { SshUserCa } from './ssh-user-ca';

@ApiTags('Server')
@Controller('ssh')
export class SshUserCaController {
  constructor(private readonly ca: SshUserCa) {}

  /** Public: servers fetch it while they are set up, and have no account. It is the public half alone. */
  @Get('user-ca.pub')
  @Public()
  // A kept answer would lack the new key of a rotation that has just begun.
  @Header('Cache-Control', 'public, no-cache')
  @ApiOperation({
    operationId: 'getSshUserCa',
    summary: 'Read the keys with which the gateway signs certificates for its sign-ins at SSH servers',
    description:
      'A line for each key, for the file that `TrustedUserCAKeys` in `sshd_config` of a server names; two lines while the key is being replaced. Connections with `AUTH: certificate` need it.',
  })
  @ApiOkResponse({
    description: 'Lines of public keys in the format of OpenSSH.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  @ApiErrors(500, 503)
  async read(@Res({ passthrough: true }) response: Response): Promise<string> {
    const lines = await this.ca.publicLines();
    response.type('text/plain');
    return lines.map((line) => `${line}\n`).join('');
  }
}
