import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { auditFiltersIn } from './audit/audit-filters';
import { ownerSearchIn } from './parts/owner-search';
import { pageIn } from './parts/page-search';
import { patiently } from './parts/patiently';
import { userSearchIn } from './people/user-search';
import { requestFiltersIn } from './reviews/request-filters';
import { admins, readers } from './shell/role-routes';
import { shell } from './shell/root-routes';
import { webhookSearchIn } from './webhooks/webhook-search';

const users = createRoute({
  getParentRoute: () => readers,
  path: '/users',
  validateSearch: userSearchIn,
  component: lazyRouteComponent(
    patiently(() => import('./people/user-list')),
    'UserList',
  ),
});
const user = createRoute({
  getParentRoute: () => readers,
  path: '/users/$id',
  component: lazyRouteComponent(
    patiently(() => import('./people/user-page')),
    'UserPage',
  ),
});
const groups = createRoute({
  getParentRoute: () => readers,
  path: '/groups',
  validateSearch: pageIn,
  component: lazyRouteComponent(
    patiently(() => import('./people/group-list')),
    'GroupList',
  ),
});
const machineKeys = createRoute({
  getParentRoute: () => admins,
  path: '/api-keys',
  validateSearch: pageIn,
  component: lazyRouteComponent(
    patiently(() => import('./machine-keys/machine-keys')),
    'MachineKeys',
  ),
});
const scimTokens = createRoute({
  getParentRoute: () => admins,
  path: '/scim-tokens',
  validateSearch: pageIn,
  component: lazyRouteComponent(
    patiently(() => import('./scim-tokens/scim-tokens')),
    'ScimTokens',
  ),
});
const organization = createRoute({
  getParentRoute: () => readers,
  path: '/organization',
  component: lazyRouteComponent(
    patiently(() => import('./organization/organization')),
    'OrganizationPage',
  ),
});
const webhooks = createRoute({
  getParentRoute: () => admins,
  path: '/webhooks',
  validateSearch: pageIn,
  component: lazyRouteComponent(
    patiently(() => import('./webhooks/webhook-list')),
    'WebhookList',
  ),
});
const newWebhook = createRoute({
  getParentRoute: () => admins,
  path: '/webhooks/new',
  component: lazyRouteComponent(
    patiently(() => import('./webhooks/webhook-creation')),
    'WebhookCreation',
  ),
});
const webhook = createRoute({
  getParentRoute: () => admins,
  path: '/webhooks/$id',
  validateSearch: webhookSearchIn,
  component: lazyRouteComponent(
    patiently(() => import('./webhooks/webhook-page')),
    'WebhookPage',
  ),
});
const mcpTools = createRoute({
  getParentRoute: () => readers,
  path: '/connections/$name/tools',
  validateSearch: pageIn,
  component: lazyRouteComponent(
    patiently(() => import('./mcp-tools/tool-list')),
    'ToolList',
  ),
});
const mcpTool = createRoute({
  getParentRoute: () => readers,
  path: '/connections/$name/tools/$tool',
  component: lazyRouteComponent(
    patiently(() => import('./mcp-tools/tool-page')),
    'ToolPage',
  ),
});
const audit = createRoute({
  getParentRoute: () => admins,
  path: '/audit',
  validateSearch: auditFiltersIn,
  component: lazyRouteComponent(
    patiently(() => import('./audit/audit-log')),
    'AuditLog',
  ),
});
const retention = createRoute({
  getParentRoute: () => readers,
  path: '/retention',
  component: lazyRouteComponent(
    patiently(() => import('./retention/retention')),
    'RetentionPage',
  ),
});
const allRequests = createRoute({
  getParentRoute: () => readers,
  path: '/all-requests',
  validateSearch: requestFiltersIn,
  component: lazyRouteComponent(
    patiently(() => import('./reviews/all-requests')),
    'AllRequests',
  ),
});
const myClients = createRoute({
  getParentRoute: () => shell,
  path: '/mcp-clients',
  validateSearch: ownerSearchIn,
  component: lazyRouteComponent(
    patiently(() => import('./my-clients/my-clients')),
    'MyClients',
  ),
});
const sshKeys = createRoute({
  getParentRoute: () => shell,
  path: '/ssh-keys',
  validateSearch: ownerSearchIn,
  component: lazyRouteComponent(
    patiently(() => import('./ssh-keys/ssh-keys')),
    'SshKeys',
  ),
});
const health = createRoute({
  getParentRoute: () => shell,
  path: '/health',
  component: lazyRouteComponent(
    patiently(() => import('./health/health')),
    'Health',
  ),
});

/** Keys of machines, tokens of identity providers, webhooks and the audit log, for admins. */
export const administeredByAdmins = [machineKeys, scimTokens, webhooks, newWebhook, webhook, audit] as const;
/** Routes for admins and auditors: people, the organization, MCP tools, retention and all requests. */
export const administered = [
  users,
  user,
  groups,
  organization,
  mcpTools,
  mcpTool,
  retention,
  allRequests,
] as const;
/** Routes for all users. */
export const open = [myClients, sshKeys, health] as const;
