import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal';
import { PageOfUserQuery } from '../../../platform/http/dto/page-of-user';
import { Actor, Requires } from '../../../platform/http/routes/access';
import { ApiErrors } from '../../../platform/http/routes/api-errors';
import { type Change, Changing } from '../../../platform/http/routes/change';
import { CreatesAt } from '../../../platform/http/routes/created';
import { ApiUuidParam, UuidParam } from '../../../platform/http/routes/uuid-param';
import { SshPublicKeyBody, SshPublicKeyPage, SshPublicKeyView } from './ssh-public-key.dto';
import { SshPublicKeysService } from './ssh-public-keys.service';

@ApiTags('Connection Credentials')
@Controller('ssh-public-keys')
export class SshPublicKeysController {
  constructor(private readonly keys: SshPublicKeysService) {}

  @Get()
  @Requires('signed-in')
  @ApiOperation({
    operationId: 'listSshPublicKeys',
    summary: 'List the public keys by which a user signs in over SSH, newest first',
  })
  @ApiOkResponse({ type: SshPublicKeyPage })
  @ApiErrors(400, 403, 404, 409)
  list(@Actor() actor: Principal, @Query() query: PageOfUserQuery): Promise<SshPublicKeyPage> {
    return this.keys.page(actor, query);
  }

  @Get(':id')
  @Requires('signed-in')
  @ApiOperation({
    operationId: 'getSshPublicKey',
    summary: 'Get a public key; for its user, auditors and admins',
  })
  @ApiUuidParam('id')
  @ApiOkResponse({ type: SshPublicKeyView })
  @ApiErrors(400, 404)
  get(@Actor() actor: Principal, @UuidParam('id') id: string): Promise<SshPublicKeyView> {
    return this.keys.get(actor, id);
  }

  @Post()
  @Requires('operator')
  @CreatesAt('id')
  @ApiOperation({
    operationId: 'createSshPublicKey',
    summary: 'Register a public key, by which the caller can sign in over SSH',
  })
  @ApiCreatedResponse({ type: SshPublicKeyView })
  @ApiErrors(400, 409, 413, 422)
  create(@Changing() change: Change, @Body() body: SshPublicKeyBody): Promise<SshPublicKeyView> {
    return this.keys.create(change, body);
  }

  @Delete(':id')
  @Requires('operator')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({
    operationId: 'deleteSshPublicKey',
    summary: 'Remove a public key, and end its sessions; for its user and admins',
  })
  @ApiUuidParam('id')
  @ApiNoContentResponse({ description: 'It is removed; its sessions end within seconds, wherever they run.' })
  @ApiErrors(400, 404)
  remove(@Changing() change: Change, @UuidParam('id') id: string): Promise<void> {
    return this.keys.remove(change, id);
  }
}
