import type { Principal } from '../../../kernel/principal';

/** Entry of `access_groups` and `emergency_access_groups` that means everybody who is signed in. */
export const EVERYBODY = '*';

/**
 * Whether a principal may open a connection with these `access_groups`, while
 * the access control feature is on.
 */
export function isOpenTo(
  { role, groups }: Pick<Principal, 'role' | 'groups'>,
  accessGroups: readonly string[],
): boolean {
  return (
    role === 'admin' ||
    accessGroups.includes(EVERYBODY) ||
    groups.some((group) => accessGroups.includes(group))
  );
}

/** Whether one of the groups gives the person emergency access. Admins need membership in a group, too. */
export function hasEmergencyAccess(
  { groups }: Pick<Principal, 'groups'>,
  emergencyGroups: readonly string[],
): boolean {
  return emergencyGroups.includes(EVERYBODY) || groups.some((group) => emergencyGroups.includes(group));
}
