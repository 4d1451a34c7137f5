import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { McpSettings } from '../../config/groups';
import { DatabaseModule } from '../../database/database.module';
import { ClientLimits } from '../kit/client-limits';
import { OpenSessions } from '../kit/open-sessions';
import { CallLimits } from './call-limits';
import { CurrentTargets } from './current-targets';
import { Conversation } from './conversation';
import { McpEndpoint } from './endpoint';
import { LegacyClients } from './legacy-client';
import { LegacySessions } from './legacy-sessions';
import { ModernClients } from './modern-client';
import { RequestStates } from './request-states';
import { Upstreams } from './upstreams';
import { VisitServices } from './visit-services';
import { Visits } from './visits';

function clientLimits(settings: McpSettings): ClientLimits {
  return new ClientLimits({
    all: settings.clients,
    perUser: settings.clientsPerUser,
    perConnection: settings.clientsPerConnection,
  });
}

@Module({
  imports: [DatabaseModule],
  providers: [
    CallLimits,
    { provide: ClientLimits, useFactory: clientLimits, inject: [McpSettings] },
    Conversation,
    CurrentTargets,
    LegacyClients,
    LegacySessions,
    McpEndpoint,
    ModernClients,
    OpenSessions,
    RequestStates,
    Upstreams,
    Visits,
    VisitServices,
  ],
})
export class McpProxyModule {
  /** @param modules the gate, and the modules that implement the ports `Authenticator`, `TargetReachability`, `ToolRegistry` and `CallLog`. */
  static over(modules: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: McpProxyModule, imports: modules };
  }
}
