import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { HasNoNul } from '../../platform/http/dto/fields';
import { MOST_COLUMNS, MOST_TABLES } from '../../targets/contract/table-lister';

/** Query parameters of the list of tables. */
export class TablesQuery {
  @ApiPropertyOptional({
    description: 'Only of this database. A connection leads to one: of another it lists none.',
    maxLength: 128,
  })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(128)
  @HasNoNul()
  database?: string;

  @ApiPropertyOptional({ description: 'Only of this schema.', maxLength: 128 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(128)
  @HasNoNul()
  schema?: string;
}

/** A column of a table. */
export class TableColumnView {
  @ApiProperty({ example: 'email' })
  column_name!: string;

  @ApiProperty({ description: 'In the words of the target.', example: 'character varying(100)' })
  column_type!: string;

  @ApiProperty()
  not_null!: boolean;
}

/** The columns of a table. */
export class TableColumnsView {
  @ApiProperty({ description: 'Name of the table.', example: 'customers' })
  table!: string;

  @ApiProperty({ type: [TableColumnView] })
  columns!: TableColumnView[];
}

/** The tables of a schema. */
export class SchemaTablesView {
  @ApiProperty({ example: 'public' })
  name!: string;

  @ApiProperty({ description: 'Whether a table without the name of a schema is looked for here.' })
  is_default!: boolean;

  @ApiProperty({
    type: [String],
    description: 'Names of tables, views and foreign tables.',
    example: ['customers'],
  })
  tables!: string[];

  @ApiProperty({ type: [TableColumnsView], description: 'The same tables with their columns.' })
  table_columns!: TableColumnsView[];
}

/** The tables that the login of a connection may use. */
export class TablesView {
  @ApiProperty({ type: [SchemaTablesView] })
  schemas!: SchemaTablesView[];

  @ApiProperty({
    description: `Whether there are more: an answer has up to ${MOST_TABLES} tables, with ${MOST_COLUMNS} columns together.`,
  })
  truncated!: boolean;

  @ApiProperty({ format: 'uuid', description: 'The session that has the recording of the listing.' })
  session_id!: string;
}
