import { Injectable } from '@nestjs/common';
import { Principals } from '../../../identity/auth/users/principals';
import { TargetDirectory } from '../../../gate/ports/target-directory';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import type { Caller } from '../stored/authorization-audit';
import type { AuthorizationRequest } from '../stored/authorization.entity';
import { AuthorizationRequests } from '../stored/authorization-requests';
import { notItsUri } from './authorize.service';
import { isDocumentUrl } from './client-documents';
import { Clients } from './clients';
import { Decisions, notThere } from './decisions';
import { PageFault } from '../../../platform/http/pages/page-fault';
import { RedirectedFault } from '../protocol/oauth-fault';
import type { Parameters } from '../protocol/parameters';
import { privateUseScheme } from '../protocol/private-use-uri';
import { isLocalUri, isNamedUri, placeOfUri } from '../protocol/redirect-uri';
import { formProof, isSameText } from '../../../platform/http/pages/browser-secret';

const MCP_SUBTYPE = 'mcpproxy';

/** Data that the consent page shows and its form sends back. */
export interface Consent {
  readonly request: string;
  readonly proof: string;
  readonly clientName: string;
  /** Host of the client's metadata document; undefined for a client without one. */
  readonly clientHost: string | undefined;
  readonly redirectHost: string;
  /** Whether the redirect URI leads to a program on the person's computer. */
  readonly isLocal: boolean;
  /** Private-use scheme of the redirect URI, such as `cursor`; undefined for `http` and `https`. */
  readonly scheme: string | undefined;
  /** Name of the connection; null for the REST API. */
  readonly connection: string | null;
  readonly person: Pick<Principal, 'name' | 'email'>;
}

/**
 * Asks a signed-in person whether a client may open a connection in his or her name, or whether the command
 * line may use the REST API. Asks again for each request, because a public client cannot prove its identity
 * (specification of MCP, "Confused Deputy Problem").
 */
@Injectable()
export class ConsentService {
  constructor(
    private readonly clients: Clients,
    private readonly requests: AuthorizationRequests,
    private readonly decisions: Decisions,
    private readonly principals: Principals,
    private readonly targets: TargetDirectory,
  ) {}

  /** @throws PageFault; RedirectedFault only when the redirect URI is known to belong to the client. */
  async show(id: string | undefined, browser: string | undefined): Promise<Consent> {
    const request = await this.requests.find(id, browser);
    const person = await this.personOf(request);
    const client = await this.clients.find(request.clientId);
    if (!isNamedUri(request.redirectUri, client.redirectUris)) throw notItsUri();
    const connectionId = await this.connectionIdOf(person, request);
    const clientName = client.name === '' ? 'An application without a name' : client.name;
    await this.requests.show(request.id, { clientName, connectionId });
    return {
      request: request.id,
      proof: formProof(browser ?? '', request.id),
      clientName,
      clientHost: isDocumentUrl(client.id) ? new URL(client.id).host : undefined,
      redirectHost: placeOfUri(request.redirectUri),
      isLocal: isLocalUri(request.redirectUri),
      scheme: privateUseScheme(request.redirectUri),
      connection: request.connection,
      person,
    };
  }

  /**
   * Returns the request that the person allowed, and its authorization code.
   * @throws PageFault, RedirectedFault `access_denied`
   */
  async decide(
    form: Parameters,
    browser: string | undefined,
    caller: Caller,
  ): Promise<{ readonly request: AuthorizationRequest; readonly code: string }> {
    const request = await this.requests.find(form.find('request'), browser);
    if (!isSameText(form.find('proof') ?? '', formProof(browser ?? '', request.id)))
      throw new PageFault('Please start again', 'This form is not the one that you were shown.', 403);
    const person = await this.personOf(request);
    const decision = form.find('decision');
    if (decision === 'refuse') {
      await this.decisions.refuse(request, person, caller);
      throw new RedirectedFault(request, 'access_denied', 'the person refused');
    }
    if (decision !== 'allow')
      throw new PageFault('Please start again', 'The form does not say whether you allow it.');
    if ((await this.connectionIdOf(person, request)) !== request.connectionId) throw notThere(request);
    return { request, code: await this.decisions.allow(request, person, caller) };
  }

  private async personOf(request: AuthorizationRequest): Promise<Principal> {
    if (request.userId === null) {
      // Redirects only for registered clients: the redirect URIs of clients with a metadata document are
      // checked only after the sign-in.
      if ((await this.clients.findRegistered(request.clientId)) !== undefined)
        throw new RedirectedFault(request, 'access_denied', 'the sign-in was cancelled or failed');
      throw new PageFault(
        'You are not signed in',
        'The sign-in was cancelled or failed. Nothing was allowed.',
        403,
      );
    }
    try {
      return await this.principals.current({ identityType: 'user', userId: request.userId });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
      throw new PageFault('You may not sign in', 'Your account here is inactive. Ask an administrator.', 403);
    }
  }

  /** Returns the id of the requested connection if the person may open it; null for the REST API. */
  private async connectionIdOf(person: Principal, request: AuthorizationRequest): Promise<string | null> {
    if (request.connection === null) return null;
    const target = await this.targets.find(person, request.connection);
    // Compares the name, because `find` accepts ids too, but a token is bound to the connection's name.
    const isEndpoint = target?.subtype === MCP_SUBTYPE && target.name === request.connection;
    if (target === undefined || !isEndpoint) throw notThere(request);
    return target.id;
  }
}
