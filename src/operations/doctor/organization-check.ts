import type { DataSource } from 'typeorm';
import { Organization } from '../../identity/auth/organization/organization.entity';
import { UserGroup } from '../../identity/auth/users/user.entity';
import { Connection } from '../../connections/registry/connection.entity';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';

const report = new Reporter('organization');
const EVERYBODY = '*';

/** The entities that this check reads. */
export const organizationEntities = [Organization, UserGroup, Connection];

/**
 * Checks whether admins gave access to too many people: docs/operations/hardening.md, "People". Only reads.
 */
export async function checkOrganization(db: DataSource, { settings }: Examined): Promise<Diagnosis[]> {
  const { adminGroup, adminEmails } = settings.roles;
  const [organizations, admins, connections] = await Promise.all([
    db.getRepository(Organization).find(),
    db.getRepository(UserGroup).findBy({ groupName: adminGroup }),
    db.getRepository(Connection).find({ select: { id: true, accessGroups: true } }),
  ]);
  const found: Diagnosis[] = [];
  for (const { name, features } of organizations)
    if (!features.access_control)
      found.push(
        report.warning(
          `Access Control of organization ${name} is off: everybody who signs in may open every connection.`,
          'Turn it on (PATCH /organization), once connections have their access_groups.',
        ),
      );
  if (adminEmails.length > 0 && admins.length > 0)
    found.push(
      report.warning(
        'ADMIN_EMAILS is still set, and there is an admin.',
        'Unset it: if the last admin goes, the address in it would make another one.',
      ),
    );
  if (found.length > 0) return found;
  const byHand = admins.filter(({ source }) => source === 'manual').length;
  const open = connections.filter(({ accessGroups }) => accessGroups.includes(EVERYBODY)).length;
  return [
    report.ok(
      `Access Control is on; ${open} of ${connections.length} connections are for everybody (${EVERYBODY}); ` +
        `${byHand} of ${admins.length} memberships of ${adminGroup} were set by hand.`,
    ),
  ];
}
