import { Body, Controller, Get, Header, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Actor, Requires } from '../http/access';
import { ApiErrors } from '../http/api-errors';
import { type Change, Changing } from '../http/change';
import { PageQuery } from '../http/page';
import { ApiUuidParam, UuidParam } from '../http/uuid-param';
import type { Principal } from '../kernel/principal';
import { CredentialBody, CredentialPage, IssuedCredentialView } from './credential.dto';
import { CredentialsService } from './credentials.service';

@ApiTags('Connection Credentials')
@Controller()
export class CredentialsController {
  constructor(private readonly credentials: CredentialsService) {}

  @Post('connections/:nameOrID/credentials')
  @Requires('operator')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'createConnectionCredential',
    summary: 'Get a user name and a password to connect with; the password is shown once',
  })
  @ApiCreatedResponse({ type: IssuedCredentialView })
  @ApiErrors(400, 404, 413, 422)
  issue(
    @Changing() change: Change,
    @Param('nameOrID') nameOrId: string,
    @Body() body: CredentialBody,
  ): Promise<IssuedCredentialView> {
    return this.credentials.issue(change, nameOrId, body);
  }

  @Get('connection-credentials')
  @Requires('signed-in')
  @ApiOperation({
    operationId: 'listConnectionCredentials',
    summary: 'List the caller’s own credentials, without passwords, newest first',
  })
  @ApiOkResponse({ type: CredentialPage })
  @ApiErrors(400)
  list(@Actor() actor: Principal, @Query() query: PageQuery): Promise<CredentialPage> {
    return this.credentials.list(actor, query);
  }

  @Post('connections/:nameOrID/credentials/:id/revoke')
  @Requires('operator')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({
    operationId: 'revokeConnectionCredential',
    summary: 'End a credential and the sessions that came with it; for its owner and admins',
  })
  @ApiUuidParam('id')
  @ApiNoContentResponse({ description: 'It is revoked; its sessions end within seconds, wherever they run.' })
  @ApiErrors(400, 404)
  revoke(
    @Changing() change: Change,
    @Param('nameOrID') nameOrId: string,
    @UuidParam('id') id: string,
  ): Promise<void> {
    return this.credentials.revoke(change, nameOrId, id);
  }
}
