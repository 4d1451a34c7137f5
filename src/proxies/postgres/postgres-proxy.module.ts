import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { PostgresProxySettings } from '../../platform/config/groups';
import { DatabaseModule } from '../../platform/database/database.module';
import { TypeCatalog } from './binary/type-catalog';
import { CancelBroadcast } from './cancel-broadcast';
import { CancelKeys } from './cancel-keys';
import { ClientLimits } from '../kit/client-limits';
import { LocalCounts } from '../kit/counts';
import { GatewayFrontend } from './gateway-frontend';
import { PostgresListener } from './listener';
import { NamedConnections } from './named-connections';
import { OpenSessions } from '../kit/open-sessions';
import { PostgresAdmission } from './postgres-admission';
import { ProxyFrontend } from './proxy-frontend';
import { SignInServices } from '../kit/sign-in-services';
import { TargetRelay } from './target-relay';

function clientLimits(settings: PostgresProxySettings): ClientLimits {
  const { clients: all, clientsPerUser: perUser, clientsPerConnection: perConnection } = settings;
  return new ClientLimits({ all, perUser, perConnection }, new LocalCounts(), 'postgres');
}

@Module({
  imports: [DatabaseModule],
  providers: [
    CancelBroadcast,
    CancelKeys,
    { provide: ClientLimits, useFactory: clientLimits, inject: [PostgresProxySettings] },
    NamedConnections,
    OpenSessions,
    PostgresAdmission,
    PostgresListener,
    SignInServices,
    TargetRelay,
    TypeCatalog,
    { provide: ProxyFrontend, useClass: GatewayFrontend },
  ],
})
export class PostgresProxyModule {
  /**
   * @param modules the gate, and the modules that implement the ports `Authenticator`, `IssuedCredentials`,
   * `TargetDirectory` and `TargetReachability`, and the port of the certificate.
   */
  static over(modules: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: PostgresProxyModule, imports: modules };
  }
}
