import { DataSource } from 'typeorm';
import { AccessRule } from './src/access-rules/access-rule.entity';
import { Attribute } from './src/attributes/attribute.entity';
import { AuditLine } from './src/audit/audit-log.entity';
import {
  Authorization,
  AuthorizationClient,
  AuthorizationDevice,
  AuthorizationRequest,
  AuthorizationToken,
} from './src/authorization/authorization.entity';
import { ApiKey } from './src/auth/api-key.entity';
import { Group } from './src/auth/group.entity';
import { LoginState } from './src/auth/login-state.entity';
import { PortalSession } from './src/auth/portal/portal-session.entity';
import { Organization } from './src/auth/organization.entity';
import { User, UserGroup } from './src/auth/user.entity';
import { ConnectionReachability } from './src/connections/connection-reachability.entity';
import { Connection } from './src/connections/connection.entity';
import { ConnectionCredential } from './src/credentials/credential.entity';
import { dataSourceOptions } from './src/database/data-source-options';
import { ExportCursor } from './src/events/export-cursor.entity';
import { OutboxEvent } from './src/events/outbox.entity';
import { GuardrailConnection, GuardrailRule, GuardrailStats } from './src/guardrails/guardrail.entity';
import { Review, ReviewGroup } from './src/reviews/review.entity';
import { ReviewVote } from './src/reviews/review-vote.entity';
import { DownloadLink } from './src/session-reading/downloads/download-link.entity';
import { ScimGroup } from './src/scim/resources/scim-group.entity';
import { ScimUser } from './src/scim/resources/scim-user.entity';
import { ScimToken } from './src/scim/tokens/scim-token.entity';
import { RetentionRun } from './src/retention/retention-run.entity';
import { McpTool } from './src/mcp-tools/tool.entity';
import { SessionCall } from './src/session-calls/session-call.entity';
import { SessionRow, SessionChunk } from './src/recording/session.entity';
import { WebhookDelivery } from './src/webhooks/delivery.entity';
import { Webhook } from './src/webhooks/webhook.entity';

/** For the TypeORM command line: `npm run typeorm -- migration:run`. Needs DATABASE_URL. */
export default new DataSource({
  ...dataSourceOptions(process.env['DATABASE_URL'] ?? ''),
  entities: [
    ApiKey,
    Attribute,
    AuditLine,
    Authorization,
    AuthorizationClient,
    AuthorizationDevice,
    AuthorizationRequest,
    AuthorizationToken,
    Group,
    AccessRule,
    Connection,
    ConnectionCredential,
    ConnectionReachability,
    DownloadLink,
    GuardrailConnection,
    GuardrailRule,
    GuardrailStats,
    LoginState,
    PortalSession,
    McpTool,
    Organization,
    ExportCursor,
    OutboxEvent,
    RetentionRun,
    Review,
    ScimGroup,
    ScimToken,
    ScimUser,
    ReviewGroup,
    ReviewVote,
    SessionCall,
    SessionRow,
    SessionChunk,
    User,
    UserGroup,
    Webhook,
    WebhookDelivery,
  ],
});
