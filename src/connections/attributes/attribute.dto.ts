import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsOptional, IsString } from 'class-validator';
import { DescriptionField } from '../../platform/http/dto/fields';
import { IsName, NameField } from '../../platform/http/dto/name-fields';
import { PageInfo } from '../../platform/http/dto/page';
import { AcceptsAndIgnores } from '../../platform/http/validation.pipe';
import type { Attribute } from './attribute.entity';

const READ_ONLY = ['id', 'org_id', 'created_at', 'updated_at'];

/**
 * Field of a request with the names of the connections or rules that have the attribute. The names must be
 * those that have the attribute after the change; another list is refused, not ignored.
 */
function BearersField(what: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: [String], description: what }),
    IsOptional(),
    IsArray(),
    IsString({ each: true }),
    IsName(true),
  );
}

/** Changeable fields of an attribute. Its name cannot be changed. */
@AcceptsAndIgnores('name', ...READ_ONLY)
export class AttributeChangeBody {
  @DescriptionField()
  description?: string;

  @BearersField(
    'Connections with the attribute. A new attribute is added to them. Later the list must be unchanged: change the attributes of the connections instead.',
  )
  connection_names?: string[];

  @BearersField(
    'Guardrail rules with the attribute. The list must be unchanged: change the attributes of the rules instead.',
  )
  guardrail_names?: string[];

  @BearersField(
    'Access request rules with the attribute. The list must be unchanged: change the attributes of the rules instead.',
  )
  access_rule_names?: string[];
}

@AcceptsAndIgnores(...READ_ONLY)
export class AttributeBody extends AttributeChangeBody {
  @NameField({ description: 'Unique name.', example: 'pii' })
  name!: string;
}

/** An attribute, with the connections and rules that have it. */
export class AttributeView {
  @ApiProperty({ example: 'pii' })
  name!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ type: [String] })
  connection_names!: string[];

  @ApiProperty({ type: [String] })
  guardrail_names!: string[];

  @ApiProperty({ type: [String] })
  access_rule_names!: string[];

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: Date;
}

export class AttributePage {
  @ApiProperty({ type: [AttributeView] })
  data!: AttributeView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

/** Names of the connections, guardrails and access request rules that have an attribute. */
export interface Bearers {
  connections: string[];
  guardrails: string[];
  rules: string[];
}

export function attributeView(attribute: Attribute, bearers: Bearers): AttributeView {
  return {
    name: attribute.name,
    description: attribute.description,
    connection_names: bearers.connections,
    guardrail_names: bearers.guardrails,
    access_rule_names: bearers.rules,
    created_at: attribute.createdAt,
    updated_at: attribute.updatedAt,
  };
}
