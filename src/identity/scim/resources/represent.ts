import { ENTERPRISE_URN, USER_URN } from '../schema/user-type';
import { GROUP_URN } from '../schema/group-type';
import type { ScimGroup } from './scim-group.entity';
import type { ScimUser } from './scim-user.entity';
import { versionTag } from './versions';

/** A reference to a group of a person, or to a person in a group. */
export interface ResourceReference {
  readonly id: string;
  readonly display: string;
}

export type Representation = Readonly<Record<string, unknown>> & { readonly id: string };

/** @param base base URL of the SCIM endpoint */
export function representUser(
  user: ScimUser,
  groups: readonly ResourceReference[],
  base: string,
): Representation {
  const { id, externalId, userName, active, activeAssigned, attributes } = user;
  return {
    schemas: [USER_URN, ...(ENTERPRISE_URN in attributes ? [ENTERPRISE_URN] : [])],
    id,
    ...(externalId === null ? {} : { externalId }),
    userName,
    ...attributes,
    ...(activeAssigned ? { active } : {}),
    ...(groups.length === 0
      ? {}
      : {
          groups: groups.map((group) => ({
            value: group.id,
            $ref: `${base}/Groups/${group.id}`,
            display: group.display,
          })),
        }),
    meta: metaOf('User', user, `${base}/Users/${id}`),
  };
}

/** @param members undefined if the answer does not show the members */
export function representGroup(
  group: ScimGroup,
  members: readonly ResourceReference[] | undefined,
  base: string,
): Representation {
  const { id, externalId, displayName } = group;
  return {
    schemas: [GROUP_URN],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName,
    ...(members === undefined
      ? {}
      : {
          members: members.map((member) => ({
            value: member.id,
            $ref: `${base}/Users/${member.id}`,
            display: member.display,
            type: 'User',
          })),
        }),
    meta: metaOf('Group', group, `${base}/Groups/${id}`),
  };
}

function metaOf(
  resourceType: string,
  { createdAt, updatedAt, version }: Pick<ScimUser, 'createdAt' | 'updatedAt' | 'version'>,
  location: string,
): object {
  return {
    resourceType,
    created: createdAt.toISOString(),
    lastModified: updatedAt.toISOString(),
    location,
    version: versionTag(version),
  };
}
