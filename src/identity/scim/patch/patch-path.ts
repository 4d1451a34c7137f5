import { parseValueFilter } from '../filter/parse-filter';
import type { Filter } from '../filter/filter';
import type { ResourceType } from '../schema/attribute';
import { type AttributePath, resolvePath } from '../schema/attribute-path';
import { invalidPath } from '../values/scim-fault';

/** Values that an operation changes. */
export interface PatchTarget extends AttributePath {
  /** Filter on the values of a multi-valued attribute: only values that fulfill it are changed. */
  readonly filter: Filter | undefined;
}

/** `attribute[filter]` or `attribute[filter].sub`; strings in the filter may contain brackets. */
const WITH_FILTER = /^([^[\]"]+)\[(.+)\](?:\.([\w$-]+))?$/s;

/** Like `resolvePath`, but the path may contain a filter. @throws ScimFault `invalidPath`, `invalidFilter` */
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
