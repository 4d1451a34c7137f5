import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SshProxySettings } from '../config/groups';
import { Public } from '../http/routes/access';
import { ApiErrors } from '../http/routes/api-errors';
import { SshHostKeysView } from './ssh-host-keys.dto';
import { SshHostKeys, knownHostsLine } from './ssh-host-keys';

@ApiTags('Server')
@Controller('ssh-host-keys')
export class SshHostKeysController {
  constructor(
    private readonly keys: SshHostKeys,
    private readonly settings: SshProxySettings,
  ) {}

  @Get()
  @Public()
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({
    operationId: 'listSshHostKeys',
    summary: 'List the host keys by which SSH clients recognize the gateway',
    description:
      'Add `known_hosts` to the file of that name, so that `ssh` asks nothing at its first connection. All gateways of one database have the same keys.',
  })
  @ApiOkResponse({ type: SshHostKeysView })
  @ApiErrors(500, 503)
  async list(): Promise<SshHostKeysView> {
    const { host, port } = this.settings;
    const published = port === 0 ? [] : await this.keys.published();
    return {
      keys: published.map((key) => ({
        type: key.type,
        fingerprint: key.fingerprint,
        known_hosts: knownHostsLine(host, port, key),
      })),
    };
  }
}
