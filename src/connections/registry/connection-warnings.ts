import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type OrganizationFeatures,
  OrganizationsService,
} from '../../identity/auth/organization/organizations.service';
import { RuleInspector } from '../../guardrails/rules/rule-inspector';
import { EVERYBODY } from './fields/access-groups';
import { targetKind } from '../../targets/kinds';
import { catalogWarnings } from './catalog-connection';
import type { Connection } from './connection.entity';

/** Warnings about legal but possibly unintended settings of a connection. */
@Injectable()
export class ConnectionWarnings {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly guardrails: RuleInspector,
  ) {}

  async of(db: EntityManager, connection: Connection): Promise<string[]> {
    const { access_control } = await this.organizations.features(connection.orgId, db);
    return [
      ...accessWarnings(connection, access_control),
      ...emergencyWarnings(connection),
      ...recordingWarnings(connection),
      ...catalogWarnings(connection.catalog, connection.secretNames),
      ...(await this.ofGuardrails(db, connection)),
    ];
  }

  private async ofGuardrails(
    db: EntityManager,
    { orgId, id, attributes, subtype }: Connection,
  ): Promise<string[]> {
    const language = targetKind(subtype)?.language ?? '';
    const rules = await this.guardrails.appliedTo({ orgId, id, attributes, language }, db);
    return rules.flatMap(({ name, warnings }) =>
      warnings.map((warning) => `the guardrail ${name}: ${warning}`),
    );
  }
}

function accessWarnings({ accessGroups }: Connection, isEnforced: boolean): string[] {
  if (!isEnforced)
    return accessGroups.length === 0
      ? []
      : [
          'access_groups has no effect: the access control feature is off, so everybody who is signed in may open this connection; PATCH /organization turns it on',
        ];
  if (accessGroups.length === 0)
    return [
      `only admins may open this connection: access_groups is empty; ["${EVERYBODY}"] opens it to everybody who is signed in`,
    ];
  const others = accessGroups.filter((group) => group !== EVERYBODY);
  return accessGroups.includes(EVERYBODY) && others.length > 0
    ? [
        `access_groups has "${EVERYBODY}", which is everybody who is signed in: ${others.join(', ')} make no difference`,
      ]
    : [];
}

function emergencyWarnings({ emergencyAccessGroups }: Connection): string[] {
  return emergencyAccessGroups.includes(EVERYBODY)
    ? [
        `emergency_access_groups has "${EVERYBODY}": everybody who may open this connection may open it without its reviewers in an emergency`,
      ]
    : [];
}

function recordingWarnings({ recording, recordResults }: Connection): string[] {
  return recording === 'input-only' && recordResults
    ? ['record_results has no effect: recording is input-only, so no results are recorded']
    : [];
}

/**
 * Returns warnings about connections whose access groups have no effect because a feature is off, or that
 * only admins may open.
 */
export async function featureWarnings(
  db: EntityManager,
  orgId: string,
  { access_control }: Pick<OrganizationFeatures, 'access_control'>,
): Promise<string[]> {
  const [found] = await db.query<[{ grouped: number; open: number }]>(
    `SELECT count(*) FILTER (WHERE cardinality(access_groups) > 0)::int AS grouped,
       count(*) FILTER (WHERE cardinality(access_groups) = 0)::int AS open
     FROM connections WHERE org_id = $1`,
    [orgId],
  );
  if (!access_control)
    return found.grouped === 0
      ? []
      : [
          `${found.grouped} connections have access_groups that are not enforced: the access control feature is off`,
        ];
  return found.open === 0
    ? []
    : [`${found.open} connections have no access_groups: only admins may open them`];
}
