import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';
import { Clock } from '../../kernel/async/clock';
import { MCP_SCOPE } from '../../platform/addresses/mcp-resource';
import type { Caller } from './stored/authorization-audit';
import { Authorizations, type IssuedTokens } from './stored/authorizations';
import { API_SCOPE, COMMAND_LINE } from './protocol/command-line';
import { DEVICE_PAGE, DeviceDecisions } from './consent/device-decisions';
import { Devices } from './consent/devices';
import { OAuthFault } from './protocol/oauth-fault';
import type { Parameters } from './protocol/parameters';
import { type Aim, aimOf, requireAimOf } from './protocol/requested-resource';
import { isSameText, sha256 } from '../../platform/http/pages/browser-secret';
import { shownUserCode } from './protocol/user-code';

/** PKCE code verifier (RFC 7636, section 4.1). */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** Grant type of devices (RFC 8628, section 3.4). */
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * The response to a device (RFC 8628, section 3.2). It has no `verification_uri_complete`, so that people
 * have to type the code and look at the terminal that shows it (section 5.4).
 */
export interface DeviceAnswer {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  /** Seconds. */
  readonly expires_in: number;
  /** Seconds. */
  readonly interval: number;
}

/** The answer of the token endpoint (RFC 6749, section 5.1). */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Issues and revokes tokens. Clients are public: a `client_id` does not prove the client's identity. */
@Injectable()
export class TokenRequests {
  constructor(
    private readonly authorizations: Authorizations,
    private readonly devices: Devices,
    private readonly decisions: DeviceDecisions,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws OAuthFault */
  async answer(parameters: Parameters, caller: Caller): Promise<TokenAnswer> {
    const grant = parameters.require('grant_type');
    if (grant === 'authorization_code') return answerOf(await this.redeem(parameters, caller));
    if (grant === DEVICE_GRANT) return answerOf(await this.ofDevice(parameters));
    if (grant === 'refresh_token') return answerOf(await this.refresh(parameters, caller));
    throw new OAuthFault(
      'unsupported_grant_type',
      'grant_type must be authorization_code, refresh_token or that of devices',
    );
  }

  /** Starts the sign-in of a device without a browser. @throws OAuthFault */
  async beginDevice(parameters: Parameters, caller: Caller, userAgent: string): Promise<DeviceAnswer> {
    const clientId = parameters.require('client_id');
    if (clientId !== COMMAND_LINE.id)
      throw new OAuthFault('unauthorized_client', 'only the command line of the gateway has no browser');
    requireAimOf(clientId, this.settings, parameters.require('resource'));
    const { apiUrl, apiPrefix } = this.settings.http;
    const begun = await this.devices.begin(caller, userAgent);
    return {
      device_code: begun.deviceCode,
      user_code: shownUserCode(begun.userCode),
      verification_uri: `${apiUrl}${apiPrefix}${DEVICE_PAGE}`,
      expires_in: begun.expiresInSeconds,
      interval: begun.intervalSeconds,
    };
  }

  /**
   * Revokes a token. The response is the same if the token did not exist (RFC 7009, section 2.2).
   * @throws OAuthFault `invalid_request`
   */
  async revoke(parameters: Parameters, caller: Caller): Promise<void> {
    await this.authorizations.revoke(parameters.require('token'), parameters.require('client_id'), caller);
  }

  private redeem(parameters: Parameters, caller: Caller): Promise<IssuedTokens> {
    const clientId = parameters.require('client_id');
    const verifier = parameters.require('code_verifier');
    // The parameter is optional, because OAuth 2.1 has no such parameter, and PKCE is a stronger proof.
    const redirectUri = parameters.find('redirect_uri');
    const code = parameters.require('code');
    return this.authorizations.exchange(
      'code',
      code,
      this.aim(parameters),
      (authorization, token) => {
        if (authorization.clientId !== clientId) return 'a code was presented by another client';
        if (redirectUri !== undefined && redirectUri !== authorization.redirectUri)
          return 'a code was presented with another redirect URI';
        return isVerified(verifier, token.codeChallenge ?? '')
          ? undefined
          : 'a code was presented without its verifier';
      },
      caller,
    );
  }

  private refresh(parameters: Parameters, caller: Caller): Promise<IssuedTokens> {
    const clientId = parameters.require('client_id');
    const token = parameters.require('refresh_token');
    return this.authorizations.exchange(
      'refresh',
      token,
      this.aim(parameters),
      (authorization) =>
        authorization.clientId === clientId ? undefined : 'a refresh token was presented by another client',
      caller,
    );
  }

  /** Issues tokens to a device that the person has allowed (RFC 8628, section 3.4). */
  private async ofDevice(parameters: Parameters): Promise<IssuedTokens> {
    const clientId = parameters.require('client_id');
    const device = await this.devices.ofDevice(parameters.require('device_code'));
    if (device === undefined || device.clientId !== clientId) throw notValid();
    // The device request was for the REST API, so its tokens can be for nothing else (RFC 8707, section 2.2).
    if ((this.aim(parameters) ?? null) !== null)
      throw new OAuthFault('invalid_target', 'the resource is another one');
    if (device.expiresAt.getTime() <= this.clock.now())
      throw new OAuthFault('expired_token', 'nobody allowed it in time');
    if (device.decision === 'refused') throw new OAuthFault('access_denied', 'the person refused');
    if (device.decision === null || device.userId === null) {
      if (await this.devices.isHasty(device)) throw new OAuthFault('slow_down', 'ask less often');
      throw new OAuthFault('authorization_pending', 'nobody has decided yet');
    }
    return this.decisions.tokens(device, device.userId);
  }

  private aim(parameters: Parameters): Aim | undefined {
    const resource = parameters.find('resource');
    if (resource === undefined) return undefined;
    const aim = aimOf(this.settings, resource);
    if (aim === undefined) throw new OAuthFault('invalid_target', 'the resource is none of this gateway');
    return aim;
  }
}

function isVerified(verifier: string, challenge: string): boolean {
  return VERIFIER.test(verifier) && isSameText(sha256(verifier).toString('base64url'), challenge);
}

function notValid(): OAuthFault {
  return new OAuthFault('invalid_grant', 'the device code is not valid, was used, or has expired');
}

function answerOf({ accessToken, refreshToken, expiresInSeconds, aim }: IssuedTokens): TokenAnswer {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    scope: aim === null ? API_SCOPE : MCP_SCOPE,
  };
}
