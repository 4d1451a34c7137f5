import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { connectionFiltersIn } from './admin-connections/connection-filters';
import { pageIn } from './parts/page-search';
import { patiently } from './parts/patiently';
import { admins, readers } from './shell/role-routes';
import { questionIn } from './why/question';

const adminConnections = createRoute({
  getParentRoute: () => admins,
  path: '/admin-connections',
  validateSearch: connectionFiltersIn,
  component: lazyRouteComponent(
    patiently(() => import('./admin-connections/connection-list')),
    'AdminConnections',
  ),
});
const adminConnection = createRoute({
  getParentRoute: () => admins,
  path: '/admin-connections/$name',
  component: lazyRouteComponent(
    patiently(() => import('./admin-connections/edit-connection')),
    'EditConnection',
  ),
});
const newConnection = createRoute({
  getParentRoute: () => admins,
  path: '/new/connection',
  component: lazyRouteComponent(
    patiently(() => import('./admin-connections/new-connection')),
    'NewConnection',
  ),
});
const guardrails = createRoute({
  getParentRoute: () => readers,
  path: '/guardrails',
  validateSearch: pageIn,
  component: lazyRouteComponent(
    patiently(() => import('./guardrails/guardrail-list')),
    'GuardrailList',
  ),
});
const guardrail = createRoute({
  getParentRoute: () => readers,
  path: '/guardrails/$id',
  component: lazyRouteComponent(
    patiently(() => import('./guardrails/edit-guardrail')),
    'EditGuardrail',
  ),
});
const newGuardrail = createRoute({
  getParentRoute: () => admins,
  path: '/new/guardrail',
  component: lazyRouteComponent(
    patiently(() => import('./guardrails/new-guardrail')),
    'NewGuardrail',
  ),
});
const accessRules = createRoute({
  getParentRoute: () => readers,
  path: '/access-rules',
  validateSearch: pageIn,
  component: lazyRouteComponent(
    patiently(() => import('./access-rules/access-rule-list')),
    'AccessRuleList',
  ),
});
const accessRule = createRoute({
  getParentRoute: () => readers,
  path: '/access-rules/$name',
  component: lazyRouteComponent(
    patiently(() => import('./access-rules/edit-access-rule')),
    'EditAccessRule',
  ),
});
const newAccessRule = createRoute({
  getParentRoute: () => admins,
  path: '/new/access-rule',
  component: lazyRouteComponent(
    patiently(() => import('./access-rules/new-access-rule')),
    'NewAccessRule',
  ),
});
const why = createRoute({
  getParentRoute: () => readers,
  path: '/why',
  validateSearch: questionIn,
  component: lazyRouteComponent(
    patiently(() => import('./why/why')),
    'Why',
  ),
});

/** Routes for admins: editing connections, and new guardrails and access request rules. */
export const operatedByAdmins = [
  adminConnections,
  adminConnection,
  newConnection,
  newGuardrail,
  newAccessRule,
] as const;
/** Routes for admins and auditors: guardrails, access request rules and the effective policy. */
export const operated = [guardrails, guardrail, accessRules, accessRule, why] as const;
