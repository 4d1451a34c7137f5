import { NAME_RULE, isName, normalizedName } from '../../../kernel/text/names';
import { ScimFault, invalidValue } from '../values/scim-fault';

const MAX_NAME = 256;

/** @throws ScimFault `invalidValue` for an empty or long name, or one with characters that can mislead */
export function requireUserName(given: unknown): string {
  return requireName('userName', given);
}

/**
 * Checks the `displayName` of a SCIM group, and returns the name that the group has in the gateway.
 * @param roleGroups groups that give a role and that SCIM must not fill
 * @throws ScimFault
 */
export function requireGroupName(given: unknown, roleGroups: readonly string[]): string {
  const name = requireName('displayName', given);
  if (roleGroups.includes(name))
    throw new ScimFault(
      403,
      `members of ${name} have a role in the gateway; SCIM may fill this group only with SCIM_ROLE_GROUPS=true`,
    );
  return name;
}

function requireName(attribute: string, given: unknown): string {
  const name = typeof given === 'string' ? normalizedName(given) : '';
  if (name === '' || name.length > MAX_NAME || !isName(name))
    throw invalidValue(`${attribute} must have 1 to ${MAX_NAME} characters and must ${NAME_RULE}`);
  return name;
}
