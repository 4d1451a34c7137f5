import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { HttpSettings, McpSettings } from '../../platform/config/groups';
import { DatabaseModule } from '../../platform/database/database.module';
import { Authenticator } from '../../gate/ports/authenticator';
import { WorkerLinks } from '../kit/worker-links';
import { WorkersModule } from '../kit/workers.module';
import { Conversation } from '../mcp/conversation';
import { McpEndpoint } from '../mcp/endpoint';
import { LegacyClients } from '../mcp/legacy/legacy-client';
import { LegacySessions } from '../mcp/legacy/legacy-sessions';
import { ModernClients } from '../mcp/modern/modern-client';
import { RequestStates } from '../mcp/states/request-states';
import { OwnTools } from './own-tools';
import { OwnVisits } from './own-visits';

/** The endpoint of our own tools. */
export class OwnEndpoint extends McpEndpoint {}

/**
 * Builds the endpoint of our own tools from the same classes as the MCP endpoint of connections. It has its
 * own MCP sessions, so a session of one endpoint does not exist at the other.
 */
function endpointOver(
  http: HttpSettings,
  mcp: McpSettings,
  authenticator: Authenticator,
  states: RequestStates,
  visits: OwnVisits,
  links: WorkerLinks,
): OwnEndpoint {
  const sessions = new LegacySessions(undefined);
  const modern = new ModernClients(visits, states);
  const legacy = new LegacyClients(visits, sessions, states, links);
  return new OwnEndpoint(http, mcp, authenticator, new Conversation(http, modern, legacy, sessions, links));
}

@Module({
  imports: [DatabaseModule, WorkersModule],
  providers: [
    {
      provide: OwnEndpoint,
      useFactory: endpointOver,
      inject: [HttpSettings, McpSettings, Authenticator, RequestStates, OwnVisits, WorkerLinks],
    },
    OwnTools,
    OwnVisits,
    RequestStates,
  ],
})
export class OwnToolsModule {
  /** @param modules the module that implements the port `Authenticator`. */
  static over(modules: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: OwnToolsModule, imports: modules };
  }
}
