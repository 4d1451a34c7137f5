import { Module, type OnModuleInit } from '@nestjs/common';
import { ConnectionStates } from '../connections/connection-states';
import { ConnectionsModule } from '../connections/connections.module';
import { DatabaseModule } from '../database/database.module';
import { UpstreamCredentials } from '../gate/ports/upstream-credentials';
import { KeysModule } from '../keys/keys.module';
import { AuthorizationServers } from './authorization-servers';
import { ExpiredTokens } from './expired-tokens';
import { KeptUpstreamCredentials } from './kept-upstream-credentials';
import { TokenEndpoint } from './token-endpoint';
import { TokenRows } from './token-rows';
import { TokenStates } from './token-states';
import { UpstreamTokens } from './upstream-tokens';

@Module({
  imports: [ConnectionsModule, DatabaseModule, KeysModule],
  providers: [
    AuthorizationServers,
    ExpiredTokens,
    TokenEndpoint,
    TokenRows,
    TokenStates,
    UpstreamTokens,
    { provide: UpstreamCredentials, useClass: KeptUpstreamCredentials },
  ],
  exports: [UpstreamCredentials],
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
