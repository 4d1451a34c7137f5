import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AccessRulesModule } from './access-rules/access-rules.module';
import { AttributesModule } from './attributes/attributes.module';
import { AuditModule } from './audit/audit.module';
import { AuthModule } from './auth/auth.module';
import { AuthorizationModule } from './authorization/authorization.module';
import { CatalogModule } from './catalog/catalog.module';
import { ConfigModule } from './config/config.module';
import { Settings } from './config/settings';
import { ConnectionsModule } from './connections/connections.module';
import { AccessModule } from './access/access.module';
import { DatabaseModule } from './database/database.module';
import { EventExportModule } from './event-export/event-export.module';
import { EventsModule } from './events/events.module';
import { ExecModule } from './exec/exec.module';
import { GateModule } from './gate/gate.module';
import { GuardrailsModule } from './guardrails/guardrails.module';
import { HealthModule } from './health/health.module';
import { ErrorFilter } from './http/error.filter';
import { InputsInterceptor } from './http/inputs.interceptor';
import { LargeAnswersInterceptor } from './http/large-answers.interceptor';
import { AppLogger, loggerModule } from './http/logging';
import { OwnChangesInterceptor } from './http/own-changes.interceptor';
import { AnswerTermsInterceptor } from './http/ready/answered-from-memory';
import { ReadyAnswers } from './http/ready/ready-answers';
import { GatewayValidationPipe } from './http/validation.pipe';
import { McpToolsModule } from './mcp-tools/mcp-tools.module';
import { KeysModule } from './keys/keys.module';
import { OwnToolsModule } from './own-tools/own-tools.module';
import { PolicyModule } from './policy/policy.module';
import { McpProxyModule } from './proxies/mcp/mcp-proxy.module';
import { PostgresProxyModule } from './proxies/postgres/postgres-proxy.module';
import { RecordingModule } from './recording/recording.module';
import { RetentionModule } from './retention/retention.module';
import { ReviewContextModule } from './review-context/review-context.module';
import { ReviewsModule } from './reviews/reviews.module';
import { ScimModule } from './scim/scim.module';
import { SessionCallsModule } from './session-calls/session-calls.module';
import { SessionEvidenceModule } from './session-evidence/session-evidence.module';
import { SessionReadingModule } from './session-reading/session-reading.module';
import { SessionsModule } from './sessions/sessions.module';
import type { ServerCertificate } from './tls/server-certificate';
import { TelemetryModule } from './telemetry/telemetry.module';
import { TlsModule } from './tls/tls.module';
import { UpstreamCredentialsModule } from './upstream-credentials/upstream-credentials.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** Imports all modules; no other file names every module. */
@Module({})
export class AppModule {
  static with(settings: Settings, certificate: ServerCertificate): DynamicModule {
    // The same object for all importers, so that Nest creates one module.
    const gate = GateModule.over([
      AuthModule,
      ConnectionsModule,
      AccessRulesModule,
      ReviewsModule,
      GuardrailsModule,
      RecordingModule,
      SessionsModule,
      AccessModule,
    ]);
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
        EventExportModule,
        EventsModule,
        HealthModule.over([gate, AuthModule]),
        KeysModule,
        McpToolsModule,
        gate,
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
