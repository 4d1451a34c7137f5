import { Controller, Delete, HttpCode, HttpStatus, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { HttpSettings } from '../../../platform/config/groups';
import { Public } from '../../../platform/http/routes/access';
import { ApiErrors } from '../../../platform/http/routes/api-errors';
import { clearPortalCookie, portalCookieOf, requireOwnPage } from './portal-cookie';
import { PortalSessions } from './portal-sessions';

@ApiTags('Authentication')
@Controller('portal-session')
export class PortalSessionController {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly settings: HttpSettings,
  ) {}

  @Delete()
  // Public, because signing out must work while the identity provider is down.
  @Public()
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiOperation({ operationId: 'endPortalSession', summary: 'Sign out of the portal' })
  @ApiNoContentResponse({
    description: 'The cookie of the portal is good nowhere any more. Without one, nothing has changed.',
  })
  @ApiErrors(401, 500, 503)
  async end(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    const cookie = portalCookieOf(request, this.settings);
    if (cookie === undefined) return;
    requireOwnPage(request);
    await this.sessions.end(cookie);
    clearPortalCookie(response, this.settings);
  }
}
