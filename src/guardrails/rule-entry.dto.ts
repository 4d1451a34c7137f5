import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { HasNoNul } from '../http/fields';
import { NameField } from '../http/name-fields';
import { STATEMENT_KINDS, type StatementKind } from '../languages/postgresql/statement-kinds';
import { DETECTOR_NAMES, type DetectorName } from './matching/detectors';
import { ACTIONS, ENTRY_TYPES, type EntryType, TABLE_ACCESS, UNPARSEABLE } from './rule-entry';

const MAX_ENTRIES = 200;
const MAX_NAME = 255;
/** More do not fit into the 64 KiB that a rule set may have. */
const MAX_TABLES = 2_500;
const MAX_KEEP_LAST = 64;

export { ACTIONS };

/** A table that statements may not touch. */
export class TableConditionBody {
  @ApiProperty({ description: '`table` or `schema.table`, as SQL writes it.', maxLength: MAX_NAME })
  @IsString()
  @Length(1, MAX_NAME)
  @HasNoNul()
  name!: string;

  @ApiProperty({ enum: TABLE_ACCESS, description: 'Which access is denied.' })
  @IsString()
  @IsIn(TABLE_ACCESS)
  access!: (typeof TABLE_ACCESS)[number];
}

/**
 * One entry of a rule set (specification, section 2.2.1). The keys after `message` are our addition; each belongs to
 * one type of entry.
 */
export class RuleEntryBody {
  @ApiProperty({ enum: ENTRY_TYPES, description: 'Rule kind.' })
  @IsString()
  @IsIn(ENTRY_TYPES)
  type!: EntryType;

  @ApiProperty({
    type: [String],
    description: 'Words that are denied, anywhere and in any case; empty for pattern rules.',
  })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @HasNoNul(true)
  words: string[] = [];

  @ApiProperty({ description: 'RE2 regular expression; empty string for word-list rules.', example: '' })
  @IsOptional()
  @IsString()
  @HasNoNul()
  pattern_regex: string = '';

  @NameField({ description: 'Name of the entry.', max: 128, optional: true, empty: true })
  name?: string;

  @ApiPropertyOptional({ description: 'Text shown to the user when this entry is hit.', maxLength: 1024 })
  @IsOptional()
  @IsString()
  @MaxLength(1024)
  @HasNoNul()
  message?: string;

  @ApiPropertyOptional({ description: '`deny_words_list`: the words are found in this case only.' })
  @IsOptional()
  @IsBoolean()
  case_sensitive?: boolean;

  @ApiPropertyOptional({ description: '`deny_words_list`: the words are not found inside longer words.' })
  @IsOptional()
  @IsBoolean()
  whole_word?: boolean;

  @ApiPropertyOptional({
    enum: STATEMENT_KINDS,
    isArray: true,
    description: '`sql_statement`: kinds of statements that are denied, wherever in the text they stand.',
  })
  @IsOptional()
  @IsArray()
  @IsIn(STATEMENT_KINDS, { each: true })
  kinds?: StatementKind[];

  @ApiPropertyOptional({ description: '`sql_statement`: deny UPDATE and DELETE without WHERE.' })
  @IsOptional()
  @IsBoolean()
  without_where?: boolean;

  @ApiPropertyOptional({
    type: [TableConditionBody],
    maxItems: MAX_TABLES,
    description: '`sql_statement`: tables that are denied.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_TABLES)
  @ValidateNested({ each: true })
  @Type(() => TableConditionBody)
  tables?: TableConditionBody[];

  @ApiPropertyOptional({
    type: [String],
    description: '`sql_statement`: functions that are denied, as `function` or `schema.function`.',
  })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @MaxLength(MAX_NAME, { each: true })
  @HasNoNul(true)
  functions?: string[];

  @ApiPropertyOptional({
    enum: UNPARSEABLE,
    description:
      '`sql_statement`: what becomes of a text that cannot be parsed or hides its effect. `refuse` unless given.',
  })
  @IsOptional()
  @IsString()
  @IsIn(UNPARSEABLE)
  unparseable?: (typeof UNPARSEABLE)[number];

  @ApiPropertyOptional({
    enum: DETECTOR_NAMES,
    isArray: true,
    description: '`detector`: what is looked for.',
  })
  @IsOptional()
  @IsArray()
  @IsIn(DETECTOR_NAMES, { each: true })
  detectors?: DetectorName[];

  @ApiPropertyOptional({
    enum: ACTIONS,
    description:
      'Output only: `mask` replaces what is found, instead of stopping the stream. `block` unless given.',
  })
  @IsOptional()
  @IsString()
  @IsIn(ACTIONS)
  action?: (typeof ACTIONS)[number];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_KEEP_LAST,
    description: 'With `mask`: so many characters at the end stay readable. 0 unless given.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_KEEP_LAST)
  keep_last?: number;
}

export class RuleSetBody {
  @ApiProperty({ type: [RuleEntryBody], maxItems: MAX_ENTRIES })
  @IsArray()
  @ArrayMaxSize(MAX_ENTRIES)
  @ValidateNested({ each: true })
  @Type(() => RuleEntryBody)
  rules: RuleEntryBody[] = [];
}
