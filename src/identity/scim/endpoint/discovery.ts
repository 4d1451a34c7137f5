import {
  type ScimAttribute,
  COMMON_ATTRIBUTES,
  type ResourceType,
  type ScimSchema,
} from '../schema/attribute';
import { GROUP_TYPE } from '../schema/group-type';
import { USER_TYPE } from '../schema/user-type';
import { MAX_COUNT } from '../resources/list-query';
import { ScimFault } from '../values/scim-fault';
import type { ScimAnswer } from './answer';
import { listResponse } from './resource-requests';

const CONFIG_URN = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const TYPE_URN = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SCHEMA_URN = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const TYPES = [USER_TYPE, GROUP_TYPE] as const;

/**
 * Returns a document that describes the gateway's SCIM endpoint (RFC 7644, section 4), or undefined when the
 * path is not the path of a document.
 */
export function discovery(kind: string, id: string | undefined, base: string): ScimAnswer | undefined {
  if (kind === 'ServiceProviderConfig' && id === undefined) return { status: 200, body: configuration(base) };
  const all =
    kind === 'ResourceTypes'
      ? TYPES.map((type) => resourceType(type, base))
      : kind === 'Schemas'
        ? TYPES.flatMap(({ schema, extensions }) => [schema, ...extensions]).map((one) =>
            described(one, base),
          )
        : undefined;
  if (all === undefined) return undefined;
  if (id === undefined) return listResponse(all, all.length, 1);
  const body = all.find((document) => document.id === id);
  if (body === undefined) throw new ScimFault(404, 'there is no such document');
  return { status: 200, body };
}

function configuration(base: string): object {
  return {
    schemas: [CONFIG_URN],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_COUNT },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description:
          'A token that an admin of the gateway creates (POST /scim-tokens), sent as bearer token.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

function resourceType({ name, endpoint, schema, extensions }: ResourceType, base: string) {
  return {
    schemas: [TYPE_URN],
    id: name,
    name,
    endpoint,
    description: schema.description,
    schema: schema.id,
    ...(extensions.length === 0
      ? {}
      : { schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })) }),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  };
}

function described({ id, name, description, attributes }: ScimSchema, base: string) {
  const isCore = TYPES.some((type) => type.schema.id === id);
  const own = isCore
    ? [...COMMON_ATTRIBUTES.filter((one) => one.name === 'externalId'), ...attributes]
    : attributes;
  return {
    schemas: [SCHEMA_URN],
    id,
    name,
    description,
    attributes: own.map(characteristics),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  };
}

/** Returns all characteristics of an attribute (RFC 7643, section 7), even those with a default value. */
function characteristics(attribute: ScimAttribute): object {
  const { name, type, description, canonicalValues, referenceTypes, subAttributes } = attribute;
  const isText = type === 'string' || type === 'reference';
  return {
    name,
    type,
    description,
    multiValued: attribute.multiValued === true,
    required: attribute.required === true,
    ...(isText ? { caseExact: attribute.caseExact === true } : {}),
    mutability: attribute.mutability ?? 'readWrite',
    returned: attribute.returned ?? 'default',
    ...(type === 'complex' ? {} : { uniqueness: attribute.uniqueness ?? 'none' }),
    ...(referenceTypes === undefined ? {} : { referenceTypes }),
    ...(canonicalValues === undefined ? {} : { canonicalValues }),
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(characteristics) }),
  };
}
