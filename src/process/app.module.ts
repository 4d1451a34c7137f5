import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AccessRulesModule } from '../approvals/access-rules/access-rules.module';
import { AttributesModule } from '../connections/attributes/attributes.module';
import { AuditModule } from '../platform/audit/audit.module';
import { AuthModule } from '../identity/auth/auth.module';
import { AuthorizationModule } from '../mcp/authorization-server/authorization.module';
import { ConnectionKindsModule } from '../connections/kinds/connection-kinds.module';
import { CatalogModule } from '../connections/catalog/catalog.module';
import { ConfigModule } from '../platform/config/config.module';
import { Settings } from '../platform/config/settings';
import { ConnectionsModule } from '../connections/registry/connections.module';
import { AccessModule } from '../access/access.module';
import { DatabaseModule } from '../platform/database/database.module';
import { EventExportModule } from '../integrations/event-export/event-export.module';
import { EventsModule } from '../platform/events/events.module';
import { ExecModule } from '../proxies/scripts/exec.module';
import { GateModule } from '../gate/gate.module';
import { GuardrailsModule } from '../guardrails/guardrails.module';
import { HealthModule } from '../operations/health/health.module';
import { ErrorFilter } from '../platform/http/error.filter';
import { InputsInterceptor } from '../platform/http/inputs.interceptor';
import { LargeAnswersInterceptor } from '../platform/http/large-answers.interceptor';
import { AppLogger, loggerModule } from '../platform/http/logs/logging';
import { OwnChangesInterceptor } from '../platform/http/routes/own-changes.interceptor';
import { AnswerTermsInterceptor } from '../platform/http/ready/answered-from-memory';
import { ReadyAnswers } from '../platform/http/ready/ready-answers';
import { GatewayValidationPipe } from '../platform/http/validation.pipe';
import { McpToolsModule } from '../mcp/tools/mcp-tools.module';
import { KeysModule } from '../platform/keys/keys.module';
import { OwnToolsModule } from '../proxies/own-tools/own-tools.module';
import { PolicyModule } from '../access/policy/policy.module';
import { McpProxyModule } from '../proxies/mcp/mcp-proxy.module';
import { PostgresProxyModule } from '../proxies/postgres/postgres-proxy.module';
import { RecordingModule } from '../sessions/recording/recording.module';
import { RetentionModule } from '../sessions/retention/retention.module';
import { ReviewContextModule } from '../access/review-context/review-context.module';
import { ReviewsModule } from '../approvals/reviews/reviews.module';
import { ScimModule } from '../identity/scim/scim.module';
import { SessionCallsModule } from '../sessions/calls/session-calls.module';
import { SessionEvidenceModule } from '../sessions/evidence/session-evidence.module';
import { SessionReadingModule } from '../sessions/reading/session-reading.module';
import { SessionsModule } from '../sessions/list/sessions.module';
import { SshProxyModule } from '../proxies/ssh/ssh-proxy.module';
import type { ServerCertificate } from '../platform/tls/server-certificate';
import { TelemetryModule } from '../platform/telemetry/telemetry.module';
import { TlsModule } from '../platform/tls/tls.module';
import { UpstreamCredentialsModule } from '../mcp/upstream-credentials/upstream-credentials.module';
import { WebhooksModule } from '../integrations/webhooks/webhooks.module';

/** Modules that implement the ports of the gate. */
const BEHIND_THE_GATE = [
  AuthModule,
  ConnectionsModule,
  AccessRulesModule,
  ReviewsModule,
  GuardrailsModule,
  RecordingModule,
  SessionsModule,
  AccessModule,
];

/** Modules that are imported without parameters. */
const PLAIN = [
  // Before SessionReadingModule, whose `GET /sessions/:id` would match `GET /sessions/verify`.
  SessionEvidenceModule,
  SessionReadingModule,
  SessionCallsModule,
  RetentionModule,
  PolicyModule,
  ReviewContextModule,
  ScimModule,
  TelemetryModule,
  WebhooksModule,
];

/** Imports all modules; no other file names every module. */
@Module({})
export class AppModule {
  static with(settings: Settings, certificate: ServerCertificate): DynamicModule {
    // All importers get the same object, so that Nest creates only one module.
    const gate = GateModule.over(BEHIND_THE_GATE);
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(settings),
        loggerModule(settings.process),
        DatabaseModule,
        AuditModule,
        AttributesModule,
        AuthorizationModule,
        CatalogModule,
        ConnectionKindsModule,
        EventExportModule,
        EventsModule,
        HealthModule.over([gate, AuthModule]),
        KeysModule,
        McpToolsModule,
        gate,
        ...PLAIN,
        ...waysIn(gate, certificate),
      ],
      providers: [
        AppLogger,
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_INTERCEPTOR, useClass: InputsInterceptor },
        { provide: APP_INTERCEPTOR, useClass: LargeAnswersInterceptor },
        { provide: APP_INTERCEPTOR, useClass: OwnChangesInterceptor },
        { provide: APP_INTERCEPTOR, useClass: AnswerTermsInterceptor },
        ReadyAnswers,
        { provide: APP_PIPE, useClass: GatewayValidationPipe },
      ],
    };
  }
}

/** Modules of the proxies. The argument of `over` lists the modules whose providers a proxy may inject. */
function waysIn(gate: DynamicModule, certificate: ServerCertificate): DynamicModule[] {
  return [
    ExecModule.over([gate, ConnectionsModule]),
    McpProxyModule.over([
      gate,
      AuthModule,
      AuthorizationModule,
      ConnectionsModule,
      McpToolsModule,
      SessionCallsModule,
      UpstreamCredentialsModule,
    ]),
    OwnToolsModule.over([AuthModule]),
    PostgresProxyModule.over([
      gate,
      AuthModule,
      ConnectionsModule,
      AccessModule,
      TlsModule.with(certificate),
    ]),
    SshProxyModule.over([gate, AuthModule, ConnectionsModule, AccessModule]),
  ];
}
