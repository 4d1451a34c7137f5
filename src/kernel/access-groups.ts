import type { Principal } from './principal';

/** In the `access_groups` of a connection: everybody who is signed in. */
export const EVERYBODY = '*';

/** Whether a connection with these `access_groups` is open to somebody, where the access control feature is on. */
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
