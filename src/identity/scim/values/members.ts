import { type ScimFault, invalidValue } from './scim-fault';
import { fieldOf, isRecord } from './attributes';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Members of one group, at most. */
export const MAX_MEMBERS = 50_000;

/**
 * Kind and id, the last two segments of an address: providers write the rest
 * as they reach the gateway, or leave it out.
 */
const REFERENCE = /^(?:[^?#]*\/)?([A-Za-z]+)\/([^/?#]+)\/?$/;

/** The ids of members who join: each must be a user. @throws ScimFault `invalidValue` */
export function joiningIds(given: unknown): string[] {
  const ids = memberIds(given);
  for (const member of listed(given)) if (isRecord(member)) requireUser(member);
  return ids;
}

/**
 * The ids in a list of members, each once; a single member may come without a
 * list. @throws ScimFault `invalidValue`
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
 * A member whose parts name a group, or two different users, must not become a
 * user of a group by its `value` alone.
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

/** Entra sends `"$ref": null`. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

export function groupAsMember(): ScimFault {
  return invalidValue('groups in groups are not supported: send the users of the inner group as members');
}

/** Whether the text may be an id of the gateway, in the form in which it was given. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
