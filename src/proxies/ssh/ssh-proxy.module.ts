import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { SshProxySettings } from '../../platform/config/groups';
import { KeysModule } from '../../platform/keys/keys.module';
import { ClientLimits } from '../kit/client-limits';
import { LocalCounts } from '../kit/counts';
import { OpenSessions } from '../kit/open-sessions';
import { SignInServices } from '../kit/sign-in-services';
import { SshGatewayFrontend } from './gateway-frontend';
import { SshListener } from './listener';
import { SshFrontend } from './proxy-frontend';
import { RestingClients } from './resting-clients';
import { AdmittedChannels } from './admitted-channels';
import { SshAdmission } from './ssh-admission';
import { PageEndpoint } from './page-endpoint';

function clientLimits(settings: SshProxySettings): ClientLimits {
  const { clients: all, clientsPerUser: perUser, clientsPerConnection: perConnection } = settings;
  return new ClientLimits({ all, perUser, perConnection }, new LocalCounts(), 'ssh');
}

@Module({
  imports: [KeysModule],
  providers: [
    { provide: ClientLimits, useFactory: clientLimits, inject: [SshProxySettings] },
    OpenSessions,
    RestingClients,
    SignInServices,
    AdmittedChannels,
    SshAdmission,
    SshListener,
    PageEndpoint,
    { provide: SshFrontend, useClass: SshGatewayFrontend },
  ],
})
export class SshProxyModule {
  /**
   * @param modules the gate, and the modules that implement the ports `Authenticator`, `IssuedCredentials`,
   * `PortalCallers`, `TargetDirectory` and `TargetReachability`.
   */
  static over(modules: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: SshProxyModule, imports: modules };
  }
}
