import { texts } from '../texts';
import { type Person, isAdmin, mayAct, readsAll } from './person';

export interface PageLink {
  readonly to: string;
  readonly label: string;
}

/** A group of pages in the menu. */
export interface PageSection {
  readonly label: string;
  readonly pages: readonly PageLink[];
}

const t = texts.navigation;

/** Returns the pages that a person may open, by section. The section for their own work is first. */
export function sectionsOf(person: Person): readonly PageSection[] {
  const own = { label: t.sections.own, pages: ownPages(person) };
  if (!readsAll(person)) return [own];
  const audit = { label: t.sections.audit, pages: auditPages(person) };
  const operation = { label: t.sections.operation, pages: operationPages(person) };
  return mayAct(person) ? [own, audit, operation] : [audit, operation, own];
}

export function pagesOf(person: Person): readonly PageLink[] {
  return sectionsOf(person).flatMap(({ pages }) => pages);
}

function ownPages(person: Person): readonly PageLink[] {
  return [
    { to: '/connections', label: t.connections },
    ...(mayAct(person)
      ? [
          { to: '/run', label: t.run },
          { to: '/requests', label: t.requests },
          { to: '/reviews', label: t.toDecide },
          { to: '/sign-offs', label: t.toSignOff },
        ]
      : []),
    ...(readsAll(person) ? [] : [{ to: '/sessions', label: t.mySessions }]),
    { to: '/mcp-clients', label: t.myClients },
    { to: '/ssh-keys', label: t.sshKeys },
  ];
}

function auditPages(person: Person): readonly PageLink[] {
  return [
    { to: '/sessions', label: t.sessions },
    { to: '/all-requests', label: t.allRequests },
    ...(isAdmin(person) ? [{ to: '/audit', label: t.audit }] : []),
    { to: '/retention', label: t.retention },
    { to: '/why', label: texts.why.title },
  ];
}

function operationPages(person: Person): readonly PageLink[] {
  const forAdmins = isAdmin(person);
  return [
    ...(forAdmins ? [{ to: '/admin-connections', label: texts.adminConnections.title }] : []),
    { to: '/guardrails', label: texts.guardrails.title },
    { to: '/access-rules', label: texts.accessRules.title },
    { to: '/users', label: t.users },
    { to: '/groups', label: t.groups },
    ...(forAdmins
      ? [
          { to: '/api-keys', label: t.machineKeys },
          { to: '/scim-tokens', label: t.scimTokens },
          { to: '/webhooks', label: t.webhooks },
        ]
      : []),
    { to: '/organization', label: t.organization },
    { to: '/health', label: t.health },
  ];
}
