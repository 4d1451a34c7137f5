import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import type { SelectQueryBuilder } from 'typeorm';
import { IsName, IsPartOfName } from '../../platform/http/dto/name-fields';
import { PageQuery } from '../../platform/http/dto/page';
import type { Connection } from './connection.entity';

/** One to ten conditions `key=value` or `key!=value`, separated by commas. */
const TAG_SELECTOR = /^[^=!,]{1,64}!?=[^=!,]{0,256}(?:,[^=!,]{1,64}!?=[^=!,]{0,256}){0,9}$/;

/** Filters of the list of connections; all given filters must match. */
export class ConnectionQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Part of the name or the description.', maxLength: 128 })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  @IsPartOfName()
  search?: string;

  @ApiPropertyOptional({ description: 'Only connections of this type.', example: 'database', maxLength: 64 })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  type?: string;

  @ApiPropertyOptional({
    description: 'Only connections of this subtype.',
    example: 'postgres',
    maxLength: 64,
  })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  subtype?: string;

  @ApiPropertyOptional({ description: 'Only connections with this attribute.', maxLength: 256 })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  @IsName()
  attribute?: string;

  @ApiPropertyOptional({
    description: 'Required tags (`key=value`) and excluded tags (`key!=value`), comma-separated.',
    example: 'environment=production,team!=data',
    maxLength: 4096,
  })
  @IsOptional()
  @IsString()
  @MaxLength(4096)
  @IsPartOfName()
  @Matches(TAG_SELECTOR, { message: 'tag_selector must be key=value or key!=value, comma-separated' })
  tag_selector?: string;
}

/** Restricts a query over connections (`listed`) by the filters. */
export function applyFilters(builder: SelectQueryBuilder<Connection>, query: ConnectionQuery): void {
  const { search, type, subtype, attribute, tag_selector } = query;
  if (search !== undefined) {
    const part = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
    builder.andWhere('(listed.name ILIKE :part OR listed.description ILIKE :part)', { part });
  }
  if (type !== undefined) builder.andWhere('listed.type = :type', { type });
  if (subtype !== undefined) builder.andWhere('listed.subtype = :subtype', { subtype });
  if (attribute !== undefined)
    builder.andWhere('listed.attributes @> :attribute', { attribute: [attribute] });
  for (const [index, selector] of (tag_selector?.split(',') ?? []).entries()) {
    const [key = '', value = ''] = selector.split(/!?=/).map((part) => part.trim());
    const not = selector.includes('!=') ? 'NOT ' : '';
    builder.andWhere(`${not}listed.connection_tags @> :tag${index}`, {
      [`tag${index}`]: { [key]: value },
    });
  }
}
