import { Injectable, Logger } from '@nestjs/common';
import { ConnectedAccounts } from '../stored/connected-accounts';
import { describedFault } from '../oauth/oauth-faults';
import { AccountAudit, type ConnectingBrowser } from './account-audit';
import { AddressAccess } from './address-access';
import { BrowserVisits } from './browser-visits';
import { hasChanged, isMixedUp, isOver, signInFault, unknownAddress } from './sign-in-faults';
import { SignInGrants } from './sign-in-grants';
import { tokenOwner } from './sign-in-tokens';
import { issuerKey } from './upstream-clients';

/**
 * Completes a sign-in when the browser returns: exchanges the code for a token, which belongs to the person
 * or is shared by all users.
 */
@Injectable()
export class SignInCompletion {
  private readonly log = new Logger(SignInCompletion.name);

  constructor(
    private readonly visits: BrowserVisits,
    private readonly access: AddressAccess,
    private readonly grants: SignInGrants,
    private readonly accounts: ConnectedAccounts,
    private readonly audit: AccountAudit,
  ) {}

  /**
   * Completes the sign-in. Checks access and settings again, because they may have changed while the person
   * was at the authorization server.
   * @param key key of the issuer in the path. @returns the name of the connection. @throws PageFault
   */
  async complete(key: string, query: string, browser: string, caller: ConnectingBrowser): Promise<string> {
    const back = await this.visits.comeBack(new URLSearchParams(query).get('state') ?? '', browser);
    if (back === undefined) throw isOver();
    const { visit, begun } = back;
    if (issuerKey(begun.issuer) !== key) throw isMixedUp();
    const { address, person, target, plan } = await this.access.open(visit);
    if (plan.binding !== begun.binding) throw hasChanged();
    const token = await this.grants.exchange(begun, query).catch((error: unknown) => {
      this.log.warn({ err: describedFault(error) }, 'A sign-in at an MCP server failed');
      throw signInFault(error);
    });
    const { issuer } = begun;
    const account = { connectionId: target.id, connection: target.name, subject: plan.subject, issuer };
    const isBegun = await this.accounts.begin(
      tokenOwner(plan, target, person.userId),
      plan.binding,
      token,
      (db) => this.access.use(db, address),
      (db) => this.audit.connected(db, person, { ...account, scope: token.refresh?.scope }, caller),
    );
    if (!isBegun) throw unknownAddress();
    return target.name;
  }
}
