/**
 * An attribute of a resource, with the characteristics of RFC 7643, section 7.
 * A missing characteristic has its default.
 */
export interface ScimAttribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  readonly description: string;
  readonly multiValued?: true;
  readonly required?: true;
  /** Whether comparisons of texts are case-sensitive. By default they ignore the case of ASCII letters. */
  readonly caseExact?: true;
  readonly mutability?: 'readOnly' | 'immutable';
  readonly returned?: 'always';
  readonly uniqueness?: 'server';
  readonly canonicalValues?: readonly string[];
  /** Kinds of resources that a reference may lead to. */
  readonly referenceTypes?: readonly ('User' | 'Group')[];
  readonly subAttributes?: readonly ScimAttribute[];
}

/** A schema with its attributes. In a resource, an extension's attributes are in an object under its URN. */
export interface ScimSchema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly ScimAttribute[];
}

/** Definition of a kind of resources. */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: ScimSchema;
  readonly extensions: readonly ScimSchema[];
  /**
   * Attributes of the core schemas that identity providers send by default and that the gateway has no use
   * for. They are accepted and forgotten, so that a provider need not be configured to leave them out.
   */
  readonly forgotten: ReadonlySet<string>;
}

/** `id`, `externalId` and `meta` belong to every resource (RFC 7643, section 3.1). */
export const COMMON_ATTRIBUTES: readonly ScimAttribute[] = [
  {
    name: 'id',
    type: 'string',
    description: 'Identifier, given by the gateway.',
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  },
  {
    name: 'externalId',
    type: 'string',
    description: 'Identifier at the identity provider.',
    caseExact: true,
  },
  {
    name: 'meta',
    type: 'complex',
    description: 'Facts about the resource.',
    mutability: 'readOnly',
    subAttributes: [
      {
        name: 'resourceType',
        type: 'string',
        description: 'Kind of the resource.',
        caseExact: true,
        mutability: 'readOnly',
      },
      { name: 'created', type: 'dateTime', description: 'When it was created.', mutability: 'readOnly' },
      {
        name: 'lastModified',
        type: 'dateTime',
        description: 'When it was changed.',
        mutability: 'readOnly',
      },
      {
        name: 'location',
        type: 'reference',
        description: 'Its address.',
        caseExact: true,
        mutability: 'readOnly',
      },
      { name: 'version', type: 'string', description: 'Its tag.', caseExact: true, mutability: 'readOnly' },
    ],
  },
];

/** Finds an attribute by name, without regard to case (RFC 7643, section 2.1). */
export function findAttribute(attributes: readonly ScimAttribute[], name: string): ScimAttribute | undefined {
  const wanted = name.toLowerCase();
  return attributes.find((attribute) => attribute.name.toLowerCase() === wanted);
}
