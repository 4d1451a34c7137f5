import { Injectable } from '@nestjs/common';
import { type Target, TargetDirectory } from '../../gate/ports/target-directory';
import type { Change } from '../../platform/http/routes/change';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import type { McpConnectView } from './accounts.dto';
import { type SignInPlan, authPlanOf } from './oauth/auth-of-secret';
import { ConnectedAccounts } from './stored/connected-accounts';
import { MCP_ACCOUNTS } from './sign-in/account-audit';
import { AccountRevocation } from './sign-in/account-revocation';
import { mayConnect } from './sign-in/address-access';
import { SignInAddresses } from './sign-in/sign-in-addresses';
import { tokenOwner } from './sign-in/sign-in-tokens';
import { UpstreamClients } from './sign-in/upstream-clients';

/** Connects and disconnects accounts at MCP servers, for the REST API. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly targets: TargetDirectory,
    private readonly addresses: SignInAddresses,
    private readonly clients: UpstreamClients,
    private readonly accounts: ConnectedAccounts,
    private readonly revocation: AccountRevocation,
  ) {}

  /** @throws AppError `not_found`, `forbidden`, `unprocessable` */
  async connect(change: Change, nameOrId: string): Promise<McpConnectView> {
    const { actor } = change;
    const { target, plan } = await this.find(actor, nameOrId);
    const { subject, issuer, client } = plan;
    const address = await this.addresses.give(target, actor.userId, undefined);
    if (address === undefined) throw noSuchConnection();
    change.concerns({ type: MCP_ACCOUNTS, id: target.id }, 'create', { connection: target.name, subject });
    return {
      url: this.addresses.urlOf(address.id),
      subject,
      expires_at: address.expiresAt,
      redirect_uri:
        issuer === undefined || client === undefined ? null : this.clients.redirectUri(issuerOf(issuer)),
    };
  }

  /**
   * Disconnects the account. Idempotent: succeeds even if no account is connected.
   * @throws AppError `not_found`, `forbidden`, `unprocessable`
   */
  async disconnect(change: Change, nameOrId: string): Promise<void> {
    const { actor } = change;
    const { target, plan } = await this.find(actor, nameOrId);
    const owner = tokenOwner(plan, target, actor.userId);
    const ended = await this.accounts.end(owner, plan.binding, (db) =>
      change.record(db, {
        type: MCP_ACCOUNTS,
        id: target.id,
        action: 'delete',
        before: { connection: target.name, subject: plan.subject },
        after: null,
      }),
    );
    if (ended !== undefined) await this.revocation.revoke(target.orgId, plan, ended);
  }

  private async find(actor: Principal, nameOrId: string): Promise<{ target: Target; plan: SignInPlan }> {
    const target = await this.targets.find(actor, nameOrId);
    if (target === undefined) throw noSuchConnection();
    const plan = target.clientProtocol === 'mcp' ? authPlanOf(target.openSecret()) : undefined;
    if (plan?.kind !== 'sign-in')
      throw new AppError(
        'unprocessable',
        'nobody signs in for this connection: that is for MCP servers with MCP_AUTH=oauth and without client credentials',
      );
    if (!mayConnect(plan, actor))
      throw new AppError(
        'forbidden',
        plan.subject === 'shared'
          ? 'an admin connects the account that all share, as a person and not with an API key'
          : 'an account is connected by a person in the browser, not with an API key',
      );
    return { target, plan };
  }
}

/** Returns the issuer in the spelling of its metadata: without a slash at its end if it has no path. */
function issuerOf({ href, origin, pathname }: URL): string {
  return pathname === '/' ? origin : href;
}

function noSuchConnection(): AppError {
  return new AppError('not_found', 'there is no such connection');
}
