import type { ScimAttribute, ResourceType, ScimSchema } from './attribute';

export const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

function text(name: string, description: string): ScimAttribute {
  return { name, type: 'string', description };
}

/** Users (RFC 7643, section 4.1), with only the attributes by which administrators identify a person. */
const USER_SCHEMA: ScimSchema = {
  id: USER_URN,
  name: 'User',
  description: 'A person at the identity provider.',
  attributes: [
    {
      name: 'userName',
      type: 'string',
      description: 'Name at the identity provider. It links to nobody.',
      required: true,
      uniqueness: 'server',
    },
    {
      name: 'name',
      type: 'complex',
      description: 'Parts of the name.',
      subAttributes: [
        text('formatted', 'The full name.'),
        text('familyName', 'Family name.'),
        text('givenName', 'Given name.'),
        text('middleName', 'Middle name.'),
        text('honorificPrefix', 'Title before the name.'),
        text('honorificSuffix', 'Suffix after the name.'),
      ],
    },
    text('displayName', 'Name as it is shown.'),
    text('nickName', 'Casual name.'),
    text('title', 'Job title.'),
    text('userType', 'Relation to the organization.'),
    text('preferredLanguage', 'Preferred language.'),
    text('locale', 'Locale.'),
    text('timezone', 'Time zone.'),
    {
      name: 'active',
      type: 'boolean',
      description: 'Whether the person may use the gateway. Default: true.',
    },
    {
      name: 'emails',
      type: 'complex',
      multiValued: true,
      description: 'E-mail addresses. They link to nobody.',
      subAttributes: [
        text('value', 'The address.'),
        text('display', 'Name of the address.'),
        { ...text('type', 'Kind of the address.'), canonicalValues: ['work', 'home', 'other'] },
        { name: 'primary', type: 'boolean', description: 'Whether it is the main one.' },
      ],
    },
    {
      name: 'groups',
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      description: 'The SCIM groups of the person.',
      subAttributes: [
        {
          name: 'value',
          type: 'string',
          description: 'Id of the group.',
          caseExact: true,
          mutability: 'readOnly',
        },
        {
          name: '$ref',
          type: 'reference',
          description: 'Address of the group.',
          caseExact: true,
          mutability: 'readOnly',
          referenceTypes: ['Group'],
        },
        { name: 'display', type: 'string', description: 'Name of the group.', mutability: 'readOnly' },
      ],
    },
  ],
};

/** Enterprise users (RFC 7643, section 4.3). */
const ENTERPRISE_SCHEMA: ScimSchema = {
  id: ENTERPRISE_URN,
  name: 'EnterpriseUser',
  description: 'A person in an enterprise.',
  attributes: [
    text('employeeNumber', 'Number of the employee.'),
    text('costCenter', 'Cost center.'),
    text('organization', 'Organization.'),
    text('division', 'Division.'),
    text('department', 'Department.'),
  ],
};

export const USER_TYPE: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  schema: USER_SCHEMA,
  extensions: [ENTERPRISE_SCHEMA],
  forgotten: new Set(
    [
      'addresses',
      'entitlements',
      'ims',
      'manager',
      'password',
      'phoneNumbers',
      'photos',
      'profileUrl',
      'roles',
      'x509Certificates',
    ].map((name) => name.toLowerCase()),
  ),
};
