import type { ParsedUrlQuery } from 'node:querystring';
import type { ResourceType } from '../schema/attribute';
import { type AttributePath, resolvePath } from '../schema/attribute-path';
import { invalidValue } from '../values/scim-fault';
import { one } from './list-query';

/** Fields of every answer (RFC 7643, section 7: `returned` is `always`). */
const ALWAYS = new Set(['id', 'schemas']);

/**
 * Selection of an answer's attributes (RFC 7644, section 3.9). Names that the resource does not have are
 * ignored.
 */
export interface Projection {
  readonly only: readonly AttributePath[] | undefined;
  readonly without: readonly AttributePath[];
}

type Shown = Readonly<Record<string, unknown>>;

/** @throws ScimFault when both `attributes` and `excludedAttributes` are given */
export function readProjection(query: ParsedUrlQuery, type: ResourceType): Projection {
  const only = one(query, 'attributes');
  const without = one(query, 'excludedAttributes');
  if (only !== undefined && without !== undefined)
    throw invalidValue('attributes and excludedAttributes exclude each other');
  return {
    only: only === undefined ? undefined : paths(only, type),
    without: without === undefined ? [] : paths(without, type),
  };
}

/** Whether an answer shows an attribute. The caller need not read other attributes from the database. */
export function shows({ only, without }: Projection, name: string): boolean {
  if (only !== undefined) return only.some(({ attribute }) => attribute.name === name);
  return !without.some(({ attribute, sub }) => sub === undefined && attribute.name === name);
}

export function projected(resource: Shown, { only, without }: Projection): Shown {
  const kept =
    only === undefined
      ? resource
      : (Object.assign(
          Object.fromEntries(Object.entries(resource).filter(([name]) => ALWAYS.has(name))),
          ...only.map((path) => part(resource, path)),
        ) as Shown);
  return without.reduce(leftOut, kept);
}

function paths(text: string, type: ResourceType): AttributePath[] {
  return text
    .split(',')
    .map((name) => resolvePath(type, name.trim()))
    .filter((path) => path !== undefined && path !== 'forgotten');
}

function part(resource: Shown, { extension, attribute, sub }: AttributePath): Shown {
  const container = extension === undefined ? resource : (resource[extension] as Shown | undefined);
  const value = container?.[attribute.name];
  if (value === undefined) return {};
  const shown =
    sub === undefined ? value : withParts(value, (names) => names.filter((name) => name === sub.name));
  return extension === undefined ? { [attribute.name]: shown } : { [extension]: { [attribute.name]: shown } };
}

function leftOut(resource: Shown, { extension, attribute, sub }: AttributePath): Shown {
  if (ALWAYS.has(attribute.name)) return resource;
  if (extension !== undefined) {
    const inner = resource[extension];
    if (inner === undefined) return resource;
    return { ...resource, [extension]: without(inner as Shown, attribute.name) };
  }
  if (sub === undefined) return without(resource, attribute.name);
  const value = resource[attribute.name];
  if (value === undefined) return resource;
  return {
    ...resource,
    [attribute.name]: withParts(value, (names) => names.filter((name) => name !== sub.name)),
  };
}

function without(object: Shown, name: string): Shown {
  const { [name]: _, ...rest } = object;
  return rest;
}

function withParts(value: unknown, choose: (names: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => withParts(element, choose));
  if (typeof value !== 'object' || value === null) return value;
  const chosen = choose(Object.keys(value));
  return Object.fromEntries(Object.entries(value).filter(([name]) => chosen.includes(name)));
}
