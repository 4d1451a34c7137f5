import { ApiProperty } from '@nestjs/swagger';
import type { Settings } from '../../platform/config/settings';
import type { ClientEndpoint } from '../../targets/contract/client-endpoint';
import type { TargetKind } from '../../targets/contract/kind';
import type { SecretField } from '../../targets/contract/secret-schema';
import { targetSubtypes, targetTypes } from '../../targets/kinds';

/** Condition under which a field of a secret has an effect: another field has one of these values. */
export class SecretConditionView {
  @ApiProperty({ example: 'MCP_AUTH', description: 'Name of a field of the same secret that has `choices`.' })
  field!: string;

  @ApiProperty({
    type: [String],
    example: ['oauth'],
    description: 'One of these values; the empty text: it is not set.',
  })
  values!: readonly string[];
}

/** A field that the secret of a connection may have. */
export class SecretFieldView {
  @ApiProperty({ example: 'HOST', description: 'Name in `secret` of a connection.' })
  name!: string;

  @ApiProperty({ example: 'Host name or IP address', description: 'What the value is, in a few words.' })
  label!: string;

  @ApiProperty({ description: 'What a person who types the value should know besides; may be empty.' })
  description!: string;

  @ApiProperty({ description: 'Whether each connection of the kind needs the value.' })
  required!: boolean;

  @ApiProperty({ description: 'Whether the value gives access by itself, so that a form hides it.' })
  confidential!: boolean;

  @ApiProperty({ description: 'Whether the value may have several lines, such as PEM.' })
  multiline!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'db.internal',
    description: 'An example of a value.',
  })
  placeholder!: string | null;

  @ApiProperty({ type: [String], description: 'The only values; empty: others are possible.' })
  choices!: readonly string[];

  @ApiProperty({
    type: SecretConditionView,
    nullable: true,
    description: 'The field has an effect only then; null: always.',
  })
  only_with!: SecretConditionView | null;
}

/** The address at which clients of a target’s own protocol reach connections of a kind. */
export class ClientEndpointView {
  @ApiProperty({ example: 'postgresql', description: 'Name of the protocol, as in the metrics of sessions.' })
  protocol!: string;

  @ApiProperty({
    description:
      'Whether a client signs in with a credential of `POST /connections/{nameOrID}/credentials`; otherwise with an access token of this gateway.',
  })
  issues_credentials!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'postgres://{username}:{password}@gateway.example.com:15432/{database}?sslmode=require',
    description:
      'Address for clients, in which percent-encoded values replace `{connection}`, the name of the connection, and `{username}`, `{password}` and `{database}`, those of the credential. Null: this gateway does not listen for these clients.',
  })
  url_template!: string | null;
}

/** A kind of connection, with what a client needs to create a connection and to reach its target. */
export class ConnectionKindView {
  @ApiProperty({ enum: targetTypes, description: '`type` of its connections.' })
  type!: string;

  @ApiProperty({ enum: targetSubtypes, description: '`subtype` of its connections; identifies the kind.' })
  subtype!: string;

  @ApiProperty({ example: 'PostgreSQL', description: 'What users call the kind.' })
  title!: string;

  @ApiProperty({
    example: 'postgresql',
    description: 'Language of its inputs, by which guardrails read them.',
  })
  language!: string;

  @ApiProperty({ type: [SecretFieldView], description: 'Fields of the secret, in the order of a form.' })
  secret_fields!: SecretFieldView[];

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'HEADER_',
    description: 'Other fields of the secret have names that begin so; null: there are none.',
  })
  secret_prefix!: string | null;

  @ApiProperty({
    type: ClientEndpointView,
    nullable: true,
    description: 'Null: no client reaches its targets.',
  })
  client_endpoint!: ClientEndpointView | null;

  @ApiProperty({ description: 'Whether `POST /sessions` runs scripts on its connections.' })
  runs_scripts!: boolean;

  @ApiProperty({ description: 'Whether `GET /connections/{nameOrID}/tables` lists tables.' })
  lists_tables!: boolean;

  @ApiProperty({ description: 'Whether recordings can be read with `event_stream=raw-queries`.' })
  has_queries!: boolean;

  @ApiProperty({ description: 'Whether its connections have an `mcp_policy`.' })
  has_mcp_policy!: boolean;
}

/** All kinds of connections of this gateway, in a fixed order. */
export class ConnectionKindList {
  @ApiProperty({ type: [ConnectionKindView] })
  data!: ConnectionKindView[];
}

export function connectionKindView(kind: TargetKind, settings: Settings): ConnectionKindView {
  return {
    type: kind.type,
    subtype: kind.subtype,
    title: kind.title,
    language: kind.language,
    secret_fields: Object.entries(kind.secret.fields).map(([name, field]) => fieldView(name, field)),
    secret_prefix: kind.secret.freePrefix ?? null,
    client_endpoint: kind.client === null ? null : endpointView(kind.client, settings),
    runs_scripts: kind.scripts !== undefined,
    lists_tables: kind.tables !== undefined,
    has_queries: kind.hasQueries === true,
    has_mcp_policy: kind.hasMcpPolicy === true,
  };
}

function fieldView(name: string, field: SecretField): SecretFieldView {
  return {
    name,
    label: field.label,
    description: field.description ?? '',
    required: field.required === true,
    confidential: field.isConfidential === true,
    multiline: field.isMultiline === true,
    placeholder: field.placeholder ?? null,
    choices: field.choices ?? [],
    only_with: field.onlyWith ?? null,
  };
}

function endpointView(endpoint: ClientEndpoint, settings: Settings): ClientEndpointView {
  const { protocol } = endpoint;
  switch (endpoint.at) {
    case 'port': {
      const port = endpoint.port(settings);
      const url_template = port.port === 0 ? null : endpoint.urlTemplate(port);
      return { protocol, issues_credentials: true, url_template };
    }
    case 'path':
      return { protocol, issues_credentials: false, url_template: endpoint.urlTemplate(settings) };
  }
}
