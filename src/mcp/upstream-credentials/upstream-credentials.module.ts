import { Module, type OnModuleInit } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module';
import { AuthModule } from '../../identity/auth/auth.module';
import { ConnectionStates } from '../../connections/registry/connection-states';
import { ConnectionsModule } from '../../connections/registry/connections.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { UpstreamCredentials } from '../../gate/ports/upstream-credentials';
import { UpstreamSignIns } from '../../gate/ports/upstream-sign-ins';
import { KeysModule } from '../../platform/keys/keys.module';
import { AccountsController } from './accounts.controller';
import { AccountsService } from './accounts.service';
import { AuthorizationServers } from './oauth/authorization-servers';
import { ExpiredTokens } from './stored/expired-tokens';
import { KeptUpstreamCredentials } from './kept-upstream-credentials';
import { ConnectedAccounts } from './stored/connected-accounts';
import { AccountAudit } from './sign-in/account-audit';
import { AccountRevocation } from './sign-in/account-revocation';
import { AddressAccess } from './sign-in/address-access';
import { BrowserVisits } from './sign-in/browser-visits';
import { ConnectEndpoints } from './sign-in/connect-endpoints';
import { SignInAddresses } from './sign-in/sign-in-addresses';
import { SignInCompletion } from './sign-in/sign-in-completion';
import { SignInGrants } from './sign-in/sign-in-grants';
import { SignInTokens } from './sign-in/sign-in-tokens';
import { SignIns } from './sign-in/sign-ins.service';
import { StoredSignIns } from './sign-in/stored-sign-ins';
import { UpstreamClients } from './sign-in/upstream-clients';
import { TokenEndpoint } from './token-endpoint';
import { TokenRows } from './stored/token-rows';
import { TokenStates } from './token-states';
import { UpstreamTokens } from './stored/upstream-tokens';

@Module({
  imports: [AuditModule, AuthModule, ConnectionsModule, DatabaseModule, KeysModule],
  controllers: [AccountsController],
  providers: [
    AccountAudit,
    AccountRevocation,
    AccountsService,
    AddressAccess,
    AuthorizationServers,
    BrowserVisits,
    ConnectEndpoints,
    ConnectedAccounts,
    ExpiredTokens,
    SignInAddresses,
    SignInCompletion,
    SignInGrants,
    SignInTokens,
    SignIns,
    TokenEndpoint,
    TokenRows,
    TokenStates,
    UpstreamClients,
    UpstreamTokens,
    { provide: UpstreamSignIns, useClass: StoredSignIns },
    { provide: UpstreamCredentials, useClass: KeptUpstreamCredentials },
  ],
  exports: [UpstreamCredentials, UpstreamSignIns],
})
export class UpstreamCredentialsModule implements OnModuleInit {
  constructor(
    private readonly connections: ConnectionStates,
    private readonly states: TokenStates,
  ) {}

  onModuleInit(): void {
    this.connections.tokensKeptBy(this.states);
  }
}
