import { Injectable } from '@nestjs/common';
import { LoginService } from '../../../identity/auth/sign-in/login.service';
import { formProof, isSameText } from '../../../platform/http/pages/browser-secret';
import { joinedScope } from '../../../targets/mcp/protocol/bearer-challenge';
import type { Principal } from '../../../kernel/principal';
import { AddressAccess, type OpenedAddress } from './address-access';
import { type BrowserVisit, BrowserVisits } from './browser-visits';
import { SignInAddresses } from './sign-in-addresses';
import { asPageFault, hasChanged, isOver } from './sign-in-faults';
import { SignInGrants } from './sign-in-grants';

/** Name by which `login` recognizes the sign-ins at the gateway that sign-in addresses started. */
const PURPOSE = 'mcp-connect';

/** Data that the page shows and its form sends back. */
export interface ConnectPage {
  readonly visit: string;
  readonly proof: string;
  readonly connection: string;
  readonly serverHost: string;
  readonly authorizationHost: string;
  /** Host of the issuer, which receives the result of the sign-in. */
  readonly issuerHost: string;
  readonly subject: 'user' | 'shared';
  readonly scope: string | undefined;
  readonly person: Pick<Principal, 'name' | 'email'>;
}

/** Sends a person from a sign-in address of the gateway to the authorization server of an MCP server. */
@Injectable()
export class SignIns {
  constructor(
    private readonly login: LoginService,
    private readonly access: AddressAccess,
    private readonly addresses: SignInAddresses,
    private readonly visits: BrowserVisits,
    private readonly grants: SignInGrants,
  ) {
    login.receive(PURPOSE, async (person, redirect) => {
      await this.visits.signedIn(new URL(redirect).searchParams.get('visit') ?? '', person);
    });
  }

  /**
   * Returns the URL at which the person signs in at the gateway. Does not check whether the address exists,
   * so that strangers do not learn which addresses exist.
   */
  async identify(id: string, browser: string): Promise<string> {
    const visit = await this.visits.begin(id, browser);
    return this.login.beginFor(PURPOSE, `${this.addresses.urlOf(id)}?visit=${visit}`, browser);
  }

  /** @throws PageFault */
  async show(id: string, visitId: string, browser: string): Promise<ConnectPage> {
    const visit = await this.visit(id, visitId, browser);
    return this.page(visit, await this.access.open(visit), browser, 'now');
  }

  /**
   * Returns the URL at which the person signs in at the authorization server of the MCP server.
   * @throws PageFault
   */
  async confirm(id: string, visitId: string, proof: string, browser: string): Promise<string> {
    const visit = await this.visit(id, visitId, browser);
    const opened = await this.access.open(visit);
    // The proof covers what the page showed. If anything changed meanwhile, the person has to start again.
    if (!isSameText(proof, (await this.page(visit, opened, browser, 'lately')).proof)) throw hasChanged();
    const { address, plan, target } = opened;
    const { url, begun } = await asPageFault(() => this.grants.begin(target.orgId, plan, address.scope));
    await this.visits.leave(visit, begun);
    return url.href;
  }

  private async page(
    { id }: BrowserVisit,
    { address, plan, person, target }: OpenedAddress,
    browser: string,
    asOf: 'now' | 'lately',
  ): Promise<ConnectPage> {
    const { metadata, scope } = await asPageFault(() => this.grants.serverOf(plan, asOf));
    const shown = {
      connection: target.name,
      serverHost: plan.server.host,
      authorizationHost: new URL(metadata.authorization_endpoint ?? metadata.issuer).host,
      issuerHost: new URL(metadata.issuer).host,
      subject: plan.subject,
      scope: joinedScope(plan.scope ?? scope, address.scope),
    };
    const proof = formProof(browser, JSON.stringify([id, metadata.issuer, shown]));
    return { visit: id, proof, ...shown, person };
  }

  private async visit(id: string, visitId: string, browser: string): Promise<BrowserVisit> {
    const visit = await this.visits.find(visitId, id, browser);
    if (visit === undefined) throw isOver();
    return visit;
  }
}
