import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { DatabaseModule } from '../../database/database.module';
import { TypeCatalog } from './binary/type-catalog';
import { CancelBroadcast } from './cancel-broadcast';
import { CancelKeys } from './cancel-keys';
import { ClientLimits } from '../kit/client-limits';
import { GatewayFrontend } from './gateway-frontend';
import { PostgresListener } from './listener';
import { OpenSessions } from '../kit/open-sessions';
import { ProxyFrontend } from './proxy-frontend';

function clientLimits(settings: Settings): ClientLimits {
  return new ClientLimits({
    all: settings.POSTGRES_PROXY_CLIENTS,
    perUser: settings.POSTGRES_PROXY_CLIENTS_PER_USER,
    perConnection: settings.POSTGRES_PROXY_CLIENTS_PER_CONNECTION,
  });
}

@Module({
  imports: [DatabaseModule],
  providers: [
    CancelBroadcast,
    CancelKeys,
    { provide: ClientLimits, useFactory: clientLimits, inject: [Settings] },
    OpenSessions,
    PostgresListener,
    TypeCatalog,
    { provide: ProxyFrontend, useClass: GatewayFrontend },
  ],
})
export class PostgresProxyModule {
  /** @param modules The gate, and whoever keeps the ports `Authenticator`, `IssuedCredentials` and `TargetReachability`. */
  static over(modules: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: PostgresProxyModule, imports: modules };
  }
}
