import type { Filter } from '../filter/filter';
import { type Attributes, isRecord } from '../values/attributes';
import { joiningIds, memberIds } from '../values/members';
import { GROUP_TYPE } from '../schema/group-type';
import { schemaOf } from '../schema/attribute-path';
import { ScimFault, invalidFilter, invalidValue } from '../values/scim-fault';
import { patchAttributes } from './patch-attributes';
import { type PatchTarget, resolvePatchPath } from './patch-path';
import type { PatchOperation } from './patch-request';

/**
 * Changes that a PATCH makes to a group. Members are given as a difference, because a group may have more
 * members than a request should load.
 */
export interface GroupPatch {
  readonly attributes: Attributes;
  readonly members: MemberChanges;
}

export interface MemberChanges {
  /** Whether all previous members leave the group, except those whom `changes` adds. */
  readonly replaced: boolean;
  /** Changes by user id: true if the user joins, false if the user leaves. */
  readonly changes: ReadonlyMap<string, boolean>;
}

/** @throws ScimFault */
export function patchGroup(before: Attributes, operations: readonly PatchOperation[]): GroupPatch {
  const members = { replaced: false, changes: new Map<string, boolean>() };
  const rest = operations.flatMap((operation) => withoutMembers(operation, members));
  return { attributes: patchAttributes(GROUP_TYPE, before, rest), members };
}

/** Applies the changes of members in an operation, and returns the rest of the operation. */
function withoutMembers(
  operation: PatchOperation,
  members: { replaced: boolean; changes: Map<string, boolean> },
): PatchOperation[] {
  const { op, path, value } = operation;
  if (path === undefined) {
    if (op === 'remove' || !isRecord(value)) return [operation];
    const others = Object.entries(value).filter(([name, part]) => {
      const target = membersAt(name);
      if (target === undefined) return true;
      changeMembers(op, target, part, members);
      return false;
    });
    return [{ op, path, value: Object.fromEntries(others) }];
  }
  if (schemaOf(GROUP_TYPE, path) !== undefined)
    return withoutMembers({ op, path: undefined, value }, members);
  const target = membersAt(path);
  if (target === undefined) return [operation];
  changeMembers(op, target, value, members);
  return [];
}

/** Resolves a path, or a field name of `value`. Returns undefined if it does not lead to members. */
function membersAt(path: string): PatchTarget | undefined {
  const target = resolvePatchPath(GROUP_TYPE, path);
  return target === undefined || target === 'forgotten' || target.attribute.name !== 'members'
    ? undefined
    : target;
}

function changeMembers(
  op: PatchOperation['op'],
  { filter, sub }: PatchTarget,
  value: unknown,
  members: { replaced: boolean; changes: Map<string, boolean> },
): void {
  if (sub !== undefined) throw new ScimFault(400, 'parts of members cannot be changed', 'mutability');
  if (filter !== undefined) {
    if (op !== 'remove') throw invalidValue('members in brackets can be removed only');
    for (const id of selectedIds(filter)) members.changes.set(id, false);
    return;
  }
  const ids = op === 'remove' ? memberIds(value) : joiningIds(value);
  const names = op === 'remove' && ids.length > 0;
  if (op === 'replace' || (op === 'remove' && !names)) {
    members.replaced = true;
    members.changes.clear();
  }
  for (const id of ids) members.changes.set(id, op !== 'remove');
}

/** Returns the ids in a filter `value eq "…"`, or in several comparisons of this form, joined by `or`. */
function selectedIds(filter: Filter): string[] {
  if (filter.kind === 'or') return filter.parts.flatMap(selectedIds);
  if (
    filter.kind === 'compare' &&
    filter.operator === 'eq' &&
    filter.path.sub?.name === 'value' &&
    typeof filter.value === 'string'
  )
    return [filter.value];
  throw invalidFilter('members are selected by value eq "…"');
}
