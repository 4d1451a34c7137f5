import { Controller, Get, HttpStatus, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Settings } from '../../platform/config/settings';
import { SCHEMA_VERSION } from '../../platform/database/schema/schema-version';
import { SchemaWatch } from '../../platform/database/schema/schema-watch';
import { Actor, Public, Requires } from '../../platform/http/routes/access';
import { ApiErrors } from '../../platform/http/routes/api-errors';
import { TakesAnyQuery } from '../../platform/http/routes/route-inputs';
import { API_VERSION } from '../../platform/config/api-version';
import type { Principal } from '../../kernel/principal';
import { PROGRAM_VERSION } from '../../kernel/runtime/program-version';
import {
  LoginQuery,
  LoginView,
  PublicServerInfoView,
  ServerInfoView,
  UserInfoView,
} from './organization/auth.dto';
import { loginSecretOf, newLoginSecret, setLoginCookie, setPageCookie } from './sign-in/login-cookie';
import { LoginRateGuard } from './sign-in/login-rate.guard';
import { LoginService } from './sign-in/login.service';
import { setPortalCookie } from './portal/portal-cookie';
import { OrganizationsService } from './organization/organizations.service';

/** Documents a query parameter that the identity provider adds to the callback URL. */
function OfProvider(name: string, description: string, { required = false } = {}): MethodDecorator {
  return ApiQuery({ name, description, required, schema: { type: 'string' } });
}

@ApiTags('Authentication')
@Controller()
export class AuthController {
  constructor(
    private readonly login: LoginService,
    private readonly organizations: OrganizationsService,
    private readonly settings: Settings,
    private readonly schema: SchemaWatch,
  ) {}

  @Get('login')
  @Public()
  @UseGuards(LoginRateGuard)
  @ApiOperation({ operationId: 'login', summary: 'Start a sign-in at the identity provider' })
  @ApiOkResponse({ type: LoginView })
  @ApiErrors(400, 422, 429, 500, 503)
  async begin(
    @Query() query: LoginQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoginView> {
    const browser = newLoginSecret(request, this.settings.http);
    const login_url =
      query.portal === undefined
        ? await this.login.begin(query.redirect, browser)
        : await this.login.beginAtPortal(query.redirect, browser);
    setLoginCookie(response, this.settings.http, browser);
    response.setHeader('Cache-Control', 'no-store');
    return { login_url };
  }

  @Get('callback')
  @Public()
  // Accepts any query parameter, because identity providers add parameters of their own.
  @TakesAnyQuery()
  @UseGuards(LoginRateGuard)
  @ApiOperation({
    operationId: 'callback',
    summary: 'Complete a sign-in when the identity provider redirects the browser back',
  })
  @OfProvider('state', 'As the sign-in began with it.', { required: true })
  @OfProvider('code', 'What the token is fetched with.')
  @OfProvider('error', 'Why the provider refused.')
  @ApiResponse({
    status: HttpStatus.TEMPORARY_REDIRECT,
    description:
      'To the redirect of the sign-in, with `#access_token=` or `?error=`; from the portal, with its cookie in place of the token.',
    headers: { Location: { schema: { type: 'string', format: 'uri' } } },
  })
  @ApiErrors(400, 429, 500, 503)
  async complete(@Req() request: Request, @Res() response: Response): Promise<void> {
    const query = request.originalUrl.split('?').slice(1).join('?');
    const { http } = this.settings;
    // Keeps the login cookie, because sign-ins of other tabs of this browser may be in progress.
    const completed = await this.login.complete(query, loginSecretOf(request, http));
    const { location, pageCookie, portalCookie } = completed;
    if (pageCookie !== undefined) setPageCookie(response, http, pageCookie);
    if (portalCookie !== undefined) setPortalCookie(response, http, portalCookie);
    // Does not use `redirect`, because its body would repeat the URL, which contains the token.
    response
      .setHeader('Cache-Control', 'no-store')
      .status(HttpStatus.TEMPORARY_REDIRECT)
      .location(location)
      .end();
  }

  @Get('userinfo')
  @Requires('signed-in')
  @ApiOperation({ operationId: 'getUserInfo', summary: 'Get the caller’s identity and role' })
  @ApiOkResponse({ type: UserInfoView })
  async userInfo(@Actor() actor: Principal): Promise<UserInfoView> {
    const { subject, email, name, groups, role, identityType, orgId } = actor;
    const { name: org_name } = await this.organizations.defaultOrganization();
    return {
      id: subject,
      email,
      name,
      groups,
      role,
      is_admin: role === 'admin',
      status: 'active',
      identity_type: identityType,
      org_id: orgId,
      org_name,
    };
  }

  @Get('serverinfo')
  @Requires('signed-in')
  @ApiOperation({ operationId: 'getServerInfo', summary: 'Get the current server configuration' })
  @ApiOkResponse({ type: ServerInfoView })
  async serverInfo(@Actor() actor: Principal): Promise<ServerInfoView> {
    return {
      auth_method: 'oidc',
      api_url: this.apiUrl(),
      version: API_VERSION,
      program_version: PROGRAM_VERSION,
      schema_version: SCHEMA_VERSION,
      database_schema_version: (await this.schema.recent()).last ?? '',
      idp_issuer: this.settings.identityProvider.issuer,
      admin_group: this.settings.roles.adminGroup,
      auditor_group: this.settings.roles.auditorGroup,
      features: await this.organizations.features(actor.orgId),
    };
  }

  @Get('publicserverinfo')
  @Public()
  @ApiOperation({
    operationId: 'getPublicServerInfo',
    summary: 'Get the public server configuration: how to sign in',
  })
  @ApiOkResponse({ type: PublicServerInfoView })
  @ApiErrors(500)
  publicServerInfo(): PublicServerInfoView {
    return { auth_method: 'oidc', api_url: this.apiUrl() };
  }

  private apiUrl(): string {
    return `${this.settings.http.apiUrl}${this.settings.http.apiPrefix}`;
  }
}
