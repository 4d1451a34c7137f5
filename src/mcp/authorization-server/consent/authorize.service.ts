import { Injectable } from '@nestjs/common';
import { LoginService } from '../../../identity/auth/sign-in/login.service';
import { Settings } from '../../../platform/config/settings';
import { AuthorizationRequests, type NewRequest } from '../stored/authorization-requests';
import { isDocumentUrl } from './client-documents';
import { Clients } from './clients';
import { PageFault } from '../../../platform/http/pages/page-fault';
import { OAuthFault, RedirectedFault } from '../protocol/oauth-fault';
import type { Parameters } from '../protocol/parameters';
import { isNamedUri, isRedirectUri } from '../protocol/redirect-uri';
import { requireAimOf } from '../protocol/requested-resource';

/** Name by which `login` recognizes the sign-ins that authorization requests started. */
const PURPOSE = 'authorization';
/** A PKCE code challenge: SHA-256 in base64url (RFC 7636, section 4.2). */
const CHALLENGE = /^[\w-]{43}$/;

/**
 * Starts authorization requests: checks the request without calling another server, then returns the URL of
 * the sign-in. The metadata document of a client is fetched only after a person has signed in, so that nobody
 * without an account can make the gateway fetch a URL.
 */
@Injectable()
export class AuthorizeService {
  constructor(
    private readonly clients: Clients,
    private readonly requests: AuthorizationRequests,
    private readonly login: LoginService,
    private readonly settings: Settings,
  ) {
    login.receive(PURPOSE, async (person, redirect) => {
      await this.requests.signedIn(new URL(redirect).searchParams.get('request') ?? '', person);
    });
  }

  /**
   * Returns the URL of the identity provider to which the browser goes.
   * @throws RedirectedFault only for a registered client whose redirect URI was checked; PageFault or
   * OAuthFault in all other cases.
   */
  async begin(parameters: Parameters, browser: string): Promise<string> {
    const [clientId, redirectUri] = [parameters.require('client_id'), parameters.require('redirect_uri')];
    if (!isRedirectUri(redirectUri)) throw notItsUri();
    const client = await this.clients.findRegistered(clientId);
    if (client !== undefined && !isNamedUri(redirectUri, client.redirectUris)) throw notItsUri();
    const request = { clientId, redirectUri, clientState: parameters.find('state') ?? null };
    try {
      const { apiUrl, apiPrefix } = this.settings.http;
      const id = await this.requests.keep({ ...request, ...this.read(clientId, parameters) }, browser);
      return await this.login.beginFor(PURPOSE, `${apiUrl}${apiPrefix}/oauth/consent?request=${id}`, browser);
    } catch (error) {
      if (!(error instanceof OAuthFault) || isDocumentUrl(clientId)) throw error;
      throw new RedirectedFault(request, error.code, error.message);
    }
  }

  private read(clientId: string, parameters: Parameters): Pick<NewRequest, 'codeChallenge' | 'connection'> {
    if (parameters.require('response_type') !== 'code')
      throw new OAuthFault('unsupported_response_type', 'response_type must be code');
    const codeChallenge = parameters.require('code_challenge');
    if (parameters.find('code_challenge_method') !== 'S256' || !CHALLENGE.test(codeChallenge))
      throw new OAuthFault('invalid_request', 'PKCE with code_challenge_method S256 is required');
    const connection = requireAimOf(clientId, this.settings, parameters.require('resource'));
    return { codeChallenge, connection };
  }
}

/** Returns an error page. The browser must not be redirected, because the client did not register the URI. */
export function notItsUri(): PageFault {
  return new PageFault(
    'This application sent a wrong address',
    'The address to which you would return is none of those that the application has registered. Nothing was allowed.',
  );
}
