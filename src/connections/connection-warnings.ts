import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { OrganizationsService } from '../auth/organizations.service';
import { EVERYBODY } from '../kernel/access-groups';
import type { Connection } from './connection.entity';

/** What is legal in a connection and may still not be meant: settings that another one makes idle. */
@Injectable()
export class ConnectionWarnings {
  constructor(private readonly organizations: OrganizationsService) {}

  async of(db: EntityManager, connection: Connection): Promise<string[]> {
    const { access_control } = await this.organizations.features(connection.orgId, db);
    return [...accessWarnings(connection, access_control), ...recordingWarnings(connection)];
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

function recordingWarnings({ recording, recordResults }: Connection): string[] {
  return recording === 'input-only' && recordResults
    ? ['record_results has no effect: recording is input-only, so no results are recorded']
    : [];
}
