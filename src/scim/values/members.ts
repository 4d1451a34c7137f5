import { invalidValue } from '../scim-fault';
import { fieldOf, isRecord } from './attributes';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Members of one group, at most. */
export const MAX_MEMBERS = 50_000;

/** The ids in a list of members, each once; a single member may come without a list. @throws ScimFault `invalidValue` */
export function memberIds(given: unknown): string[] {
  if (given === undefined || given === null) return [];
  const list = Array.isArray(given) ? given : [given];
  if (list.length > MAX_MEMBERS) throw invalidValue(`a group may have ${MAX_MEMBERS} members at most`);
  const ids = list.map((member: unknown) => {
    const id = isRecord(member) ? fieldOf(member, 'value') : member;
    if (typeof id !== 'string' || id === '')
      throw invalidValue('a member must have the id of a user as value');
    return id;
  });
  return [...new Set(ids)];
}

/** Whether the text may be an id of the gateway, in the form in which it was given. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
