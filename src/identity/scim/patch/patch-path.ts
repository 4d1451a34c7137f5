import { parseValueFilter } from '../filter/parse-filter';
import type { Filter } from '../filter/filter';
import type { ResourceType } from '../schema/attribute';
import { type AttributePath, resolvePath } from '../schema/attribute-path';
import { invalidPath } from '../values/scim-fault';

/** Values that an operation changes. */
export interface PatchTarget extends AttributePath {
  /** Filter of a multi-valued attribute's values: only those that fulfil it are meant. */
  readonly filter: Filter | undefined;
}

/** `attribute[filter]` or `attribute[filter].sub`; texts in the filter may have brackets. */
const WITH_FILTER = /^([^[\]"]+)\[(.+)\](?:\.([\w$-]+))?$/s;

/** Like `resolvePath`, with a filter. @throws ScimFault `invalidPath`, `invalidFilter` */
export function resolvePatchPath(type: ResourceType, path: string): PatchTarget | 'forgotten' | undefined {
  const [, name, filter, sub] = WITH_FILTER.exec(path) ?? [];
  if (name === undefined || filter === undefined) {
    const plain = resolvePath(type, path);
    return plain === undefined || plain === 'forgotten' ? plain : { ...plain, filter: undefined };
  }
  const attribute = resolvePath(type, name);
  if (attribute === undefined || attribute === 'forgotten') return attribute;
  if (attribute.attribute.multiValued !== true || attribute.sub !== undefined)
    throw invalidPath(`${name} cannot be followed by a filter in brackets`);
  const target = sub === undefined ? attribute : resolvePath(type, `${name}.${sub}`);
  if (target === undefined || target === 'forgotten') return target;
  return { ...target, filter: parseValueFilter(filter, type, attribute) };
}
