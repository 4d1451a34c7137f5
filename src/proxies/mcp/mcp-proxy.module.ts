import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { McpSettings } from '../../platform/config/groups';
import { DatabaseModule } from '../../platform/database/database.module';
import { ClientLimits } from '../kit/client-limits';
import { GatewayCounts } from '../kit/counts';
import { OpenSessions } from '../kit/open-sessions';
import { WorkersModule } from '../kit/workers.module';
import { CallLimits } from './calls/call-limits';
import { CurrentTargets } from './lists/current-targets';
import { Conversation } from './conversation';
import { McpEndpoint } from './endpoint';
import { LegacyClients } from './legacy/legacy-client';
import { LegacySessions } from './legacy/legacy-sessions';
import { ModernClients } from './modern/modern-client';
import { RequestStates } from './states/request-states';
import { Upstreams } from './visits/upstream';
import { VisitServices } from './visits/visit-services';
import { Visits } from './visits/visits';
import { WithdrawnClients } from './visits/withdrawn-clients';

function clientLimits(settings: McpSettings, counts: GatewayCounts): ClientLimits {
  const { clients: all, clientsPerUser: perUser, clientsPerConnection: perConnection } = settings;
  return new ClientLimits({ all, perUser, perConnection }, counts, 'mcp');
}

@Module({
  imports: [DatabaseModule, WorkersModule],
  providers: [
    CallLimits,
    { provide: ClientLimits, useFactory: clientLimits, inject: [McpSettings, GatewayCounts] },
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
    WithdrawnClients,
  ],
})
export class McpProxyModule {
  /**
   * @param modules the gate, and the modules that implement the ports `Authenticator`,
   * `TargetReachability`, `ToolRegistry` and `CallLog`.
   */
  static over(modules: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: McpProxyModule, imports: modules };
  }
}
