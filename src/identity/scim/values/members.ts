import { type ScimFault, invalidValue } from './scim-fault';
import { fieldOf, isRecord } from './attributes';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Maximum number of members of one group. */
export const MAX_MEMBERS = 50_000;

/**
 * Matches the kind and the id, which are the last two segments of a reference. The part before them depends
 * on how a provider reaches the gateway, and may be missing.
 */
const REFERENCE = /^(?:[^?#]*\/)?([A-Za-z]+)\/([^/?#]+)\/?$/;

/** Returns the ids of members who join. Each must be a user. @throws ScimFault `invalidValue` */
export function joiningIds(given: unknown): string[] {
  const ids = memberIds(given);
  for (const member of listed(given)) if (isRecord(member)) requireUser(member);
  return ids;
}

/**
 * Returns the ids in a list of members, without duplicates. Also accepts a single member without a list.
 * @throws ScimFault `invalidValue`
 */
export function memberIds(given: unknown): string[] {
  const list = listed(given);
  if (list.length > MAX_MEMBERS) throw invalidValue(`a group may have ${MAX_MEMBERS} members at most`);
  const ids = list.map((member: unknown) => {
    const id = isRecord(member) ? fieldOf(member, 'value') : member;
    if (typeof id !== 'string' || id === '')
      throw invalidValue('a member must have the id of a user as value');
    return id;
  });
  return [...new Set(ids)];
}

function listed(given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return [];
  return Array.isArray(given) ? (given as readonly unknown[]) : [given];
}

/**
 * Refuses a member whose `type` or `$ref` names a group, or a user other than `value`, because later code
 * reads only `value`.
 */
function requireUser(member: Readonly<Record<string, unknown>>): void {
  const [type, reference] = [fieldOf(member, 'type'), fieldOf(member, '$ref')];
  if (!isNothing(type)) {
    const kind = typeof type === 'string' ? type.toLowerCase() : '';
    if (kind === 'group') throw groupAsMember();
    if (kind !== 'user') throw invalidValue('the type of a member must be User');
  }
  if (isNothing(reference)) return;
  const [, kind, id] = (typeof reference === 'string' ? REFERENCE.exec(reference) : null) ?? [];
  if (kind?.toLowerCase() === 'groups') throw groupAsMember();
  if (kind?.toLowerCase() !== 'users' || id !== fieldOf(member, 'value'))
    throw invalidValue('the $ref of a member must be the address of the user in its value');
}

/** Whether a field of a member counts as missing. Entra sends `"$ref": null`. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

export function groupAsMember(): ScimFault {
  return invalidValue('groups in groups are not supported: send the users of the inner group as members');
}

/** Whether the text has the form of the gateway's ids: a UUID in small letters. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
