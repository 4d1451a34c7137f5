import { DataSource } from 'typeorm';
import { AccessRule } from './src/approvals/access-rules/access-rule.entity';
import { Attribute } from './src/connections/attributes/attribute.entity';
import { AuditLine } from './src/platform/audit/audit-log.entity';
import {
  Authorization,
  AuthorizationClient,
  AuthorizationDevice,
  AuthorizationRequest,
  AuthorizationToken,
} from './src/mcp/authorization-server/stored/authorization.entity';
import { ApiKey } from './src/identity/auth/users/api-key.entity';
import { Group } from './src/identity/auth/users/group.entity';
import { LoginState } from './src/identity/auth/sign-in/login-state.entity';
import { PortalSession } from './src/identity/auth/portal/portal-session.entity';
import { Organization } from './src/identity/auth/organization/organization.entity';
import { SshPublicKeyRow } from './src/identity/auth/users/ssh-public-key.entity';
import { User, UserGroup } from './src/identity/auth/users/user.entity';
import { ConnectionReachability } from './src/connections/registry/connection-reachability.entity';
import { Connection } from './src/connections/registry/connection.entity';
import { ConnectionCredential } from './src/access/credentials/credential.entity';
import { dataSourceOptions } from './src/platform/database/pools/data-source-options';
import { ExportCursor } from './src/platform/events/export-cursor.entity';
import { OutboxEvent } from './src/platform/events/outbox.entity';
import { GuardrailConnection, GuardrailRule, GuardrailStats } from './src/guardrails/rules/guardrail.entity';
import { Review, ReviewGroup } from './src/approvals/reviews/machine/review.entity';
import { ReviewVote } from './src/approvals/reviews/machine/review-vote.entity';
import { DownloadLink } from './src/sessions/reading/downloads/download-link.entity';
import { ScimGroup } from './src/identity/scim/resources/scim-group.entity';
import { ScimUser } from './src/identity/scim/resources/scim-user.entity';
import { ScimToken } from './src/identity/scim/tokens/scim-token.entity';
import { RetentionRun } from './src/sessions/retention/retention-run.entity';
import { McpTool } from './src/mcp/tools/tool.entity';
import { SessionCall } from './src/sessions/calls/session-call.entity';
import { SessionRow, SessionChunk } from './src/sessions/recording/session.entity';
import { WebhookDelivery } from './src/integrations/webhooks/delivery.entity';
import { Webhook } from './src/integrations/webhooks/webhook.entity';

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
    SshPublicKeyRow,
    User,
    UserGroup,
    Webhook,
    WebhookDelivery,
  ],
});
