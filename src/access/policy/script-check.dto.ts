import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { HasNoNul, MaxTextLength } from '../../platform/http/dto/fields';
import { MAX_SCRIPT_TEXT } from './policy.dto';

export class ScriptCheckBody {
  @ApiProperty({ maxLength: MAX_SCRIPT_TEXT, example: 'DROP TABLE customers' })
  @IsString()
  @MaxTextLength(MAX_SCRIPT_TEXT)
  @HasNoNul()
  script!: string;
}

/** A place in a script that an entry of a guardrail would block. */
export class ScriptFindingView {
  @ApiProperty({ description: 'What the person would be told.' })
  message!: string;

  @ApiPropertyOptional({ description: 'The rule. For admins.' })
  rule_name?: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Index of the entry in its rule set, from 0. For admins.',
  })
  entry?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Where the match begins, in UTF-16 code units. For admins.',
  })
  start?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Where the match ends, in UTF-16 code units. For admins.',
  })
  end?: number;
}

export class ScriptCheckView {
  @ApiProperty({
    enum: ['pass', 'block'],
    description:
      '`block`: the guardrails of the connection would block it. A rule about tables that a statement does not name is taken to hold; when the script runs, the target is asked.',
  })
  verdict!: 'pass' | 'block';

  @ApiProperty({ type: [ScriptFindingView] })
  findings!: ScriptFindingView[];
}
