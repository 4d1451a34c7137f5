import { Body, Controller, Get, Header, HttpCode, HttpStatus, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Actor, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { NameParam } from '../../platform/http/dto/name-fields';
import { type Change, Changing } from '../../platform/http/routes/change';
import { CreatesAt } from '../../platform/http/routes/created';
import { PageQuery } from '../../platform/http/dto/page';
import { ApiUuidParam, UuidParam } from '../../platform/http/routes/uuid-param';
import type { Principal } from '../../kernel/principal';
import { CredentialBody, CredentialPage, IssuedCredentialView } from '../credentials/credential.dto';
import { CredentialIssuer } from './credential-issuer';
import { CredentialList } from './credential-list';
import { CredentialRevocation } from './credential-revocation';

@ApiTags('Connection Credentials')
@Controller()
export class CredentialsController {
  constructor(
    private readonly issuer: CredentialIssuer,
    private readonly credentials: CredentialList,
    private readonly revocation: CredentialRevocation,
  ) {}

  @Post('connections/:nameOrID/credentials')
  @Requires('operator')
  @CreatesAt('id')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'createConnectionCredential',
    summary: 'Issue a credential for a connection, or request one; the password is shown only in this answer',
  })
  @ApiCreatedResponse({ type: IssuedCredentialView })
  @ApiAcceptedResponse({
    type: IssuedCredentialView,
    description:
      'People have to approve it, and were asked to. Once they did, the same call has the credential.',
  })
  @ApiErrors(400, 404, 409, 413, 422)
  async issue(
    @Changing() change: Change,
    @NameParam('nameOrID') nameOrId: string,
    @Body() body: CredentialBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssuedCredentialView> {
    const view = await this.issuer.issue(change, nameOrId, body);
    if (view.connection_credentials === null) response.status(HttpStatus.ACCEPTED);
    return view;
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
    return this.credentials.page(actor, query);
  }

  @Post('connections/:nameOrID/credentials/:id/revoke')
  @Requires('operator')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({
    operationId: 'revokeConnectionCredential',
    summary: 'Revoke a credential or its request, and end its sessions; for its owner and admins',
  })
  @ApiUuidParam('id')
  @ApiNoContentResponse({ description: 'It is revoked; its sessions end within seconds, wherever they run.' })
  @ApiErrors(400, 404)
  revoke(
    @Changing() change: Change,
    @NameParam('nameOrID') nameOrId: string,
    @UuidParam('id') id: string,
  ): Promise<void> {
    return this.revocation.revoke(change, nameOrId, id);
  }
}
