import type { ResourceType } from './attribute';

export const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Groups (RFC 7643, section 4.2). Members must be people; groups as members are refused. */
export const GROUP_TYPE: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  schema: {
    id: GROUP_URN,
    name: 'Group',
    description: 'A group of people. Its displayName is the name of the group in the gateway.',
    attributes: [
      {
        name: 'displayName',
        type: 'string',
        description: 'Name of the group, as rules and connections name it.',
        required: true,
        uniqueness: 'server',
      },
      {
        name: 'members',
        type: 'complex',
        multiValued: true,
        description: 'The people in the group.',
        subAttributes: [
          {
            name: 'value',
            type: 'string',
            description: 'Id of the person.',
            required: true,
            caseExact: true,
            mutability: 'immutable',
          },
          {
            name: '$ref',
            type: 'reference',
            description: 'Address of the person.',
            caseExact: true,
            mutability: 'immutable',
            referenceTypes: ['User'],
          },
          {
            name: 'display',
            type: 'string',
            description: 'userName of the person.',
            mutability: 'readOnly',
          },
          {
            name: 'type',
            type: 'string',
            description: 'Kind of the member: a person.',
            mutability: 'immutable',
            canonicalValues: ['User'],
          },
        ],
      },
    ],
  },
  extensions: [],
  forgotten: new Set(),
};
