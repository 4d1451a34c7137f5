import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import {
  type McpPolicy,
  NEW_TOOLS,
  SERVER_REQUESTS,
  type ServerRequest,
} from '../../../gate/ports/target-directory';
import { HasNoNul } from '../../../platform/http/dto/fields';

/** Maximum number of patterns in one list. */
export const MAX_GLOBS = 200;
/** Maximum length of a pattern, in UTF-16 code units. */
export const MAX_GLOB_LENGTH = 256;

/** The limits that a policy may set, each with its smallest and largest value. */
export const POLICY_LIMITS = {
  calls_per_minute: { min: 1, max: 100_000 },
  result_bytes: { min: 1_024, max: 1_073_741_824 },
  streams: { min: 1, max: 1_000 },
} as const;

const GLOB_RULES =
  '`*` stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to match.';

const ALLOWED = `Only what one of these patterns matches is there for clients. None: everything. ${GLOB_RULES}`;
const DENIED = `What one of these patterns matches is not there for clients, even if it is allowed. ${GLOB_RULES}`;
const APPROVAL = 'Calls of tools that one of these patterns matches need a review.';
const NEW_TOOLS_RULE =
  'What happens to a tool that the gateway has not seen before: `allow`, or `hold` until an admin accepts it.';
const SERVER_REQUESTS_RULE = 'Requests of the server that reach the client; the others are refused.';
const CALLS_PER_MINUTE = 'Calls of one tool by one user or API key in a minute. Null: no limit.';
const RESULT_BYTES = 'Size of one result. Null: the limit of the gateway.';
const STREAMS = 'Streams that one user or API key may have open at a time. Null: the limit of the gateway.';

function globList(description: string, example: string[]) {
  return {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: MAX_GLOB_LENGTH },
    maxItems: MAX_GLOBS,
    description,
    example,
  } as const;
}

function GlobsField(description: string, example: string[]): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional(globList(description, example)),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_GLOBS),
    IsString({ each: true }),
    Length(1, MAX_GLOB_LENGTH, { each: true }),
    HasNoNul(true),
  );
}

function limitField(name: keyof typeof POLICY_LIMITS, description: string) {
  const { min, max } = POLICY_LIMITS[name];
  return { type: 'integer', minimum: min, maximum: max, nullable: true, description } as const;
}

function LimitField(name: keyof typeof POLICY_LIMITS, description: string): PropertyDecorator {
  const { min, max } = POLICY_LIMITS[name];
  return applyDecorators(
    ApiPropertyOptional(limitField(name, description)),
    IsOptional(),
    IsInt(),
    Min(min),
    Max(max),
  );
}

function PartField(type: new () => object, description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type, description }),
    IsOptional(),
    IsObject(),
    ValidateNested(),
    Type(() => type),
  );
}

export class NamePatternsBody {
  @GlobsField(ALLOWED, ['search_*'])
  allowed?: string[];

  @GlobsField(DENIED, ['delete_*'])
  denied?: string[];
}

export class ToolPatternsBody extends NamePatternsBody {
  @GlobsField(APPROVAL, ['write_*'])
  approval?: string[];
}

/**
 * An MCP policy in a request. POST and PUT set a field that the request omits to its default. PATCH keeps the
 * stored value, also within `tools`, `resources` and `prompts`.
 */
export class McpPolicyBody {
  @PartField(ToolPatternsBody, 'Tools, by their names.')
  tools?: ToolPatternsBody;

  @PartField(NamePatternsBody, 'Resources, by their URIs; their templates, by the templates of URIs.')
  resources?: NamePatternsBody;

  @PartField(NamePatternsBody, 'Prompts, by their names.')
  prompts?: NamePatternsBody;

  @ApiPropertyOptional({ enum: NEW_TOOLS, description: `${NEW_TOOLS_RULE} Default: allow.` })
  @IsOptional()
  @IsString()
  @IsIn(NEW_TOOLS)
  new_tools?: McpPolicy['newTools'];

  @ApiPropertyOptional({
    enum: SERVER_REQUESTS,
    isArray: true,
    maxItems: SERVER_REQUESTS.length,
    description: `${SERVER_REQUESTS_RULE} Default: none.`,
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(SERVER_REQUESTS.length)
  @IsIn(SERVER_REQUESTS, { each: true })
  server_requests?: ServerRequest[];

  @LimitField('calls_per_minute', CALLS_PER_MINUTE)
  calls_per_minute?: number | null;

  @LimitField('result_bytes', RESULT_BYTES)
  result_bytes?: number | null;

  @LimitField('streams', STREAMS)
  streams?: number | null;
}

class NamePatternsView {
  @ApiProperty(globList(ALLOWED, ['search_*']))
  allowed!: readonly string[];

  @ApiProperty(globList(DENIED, ['delete_*']))
  denied!: readonly string[];
}

class ToolPatternsView extends NamePatternsView {
  @ApiProperty(globList(APPROVAL, ['write_*']))
  approval!: readonly string[];
}

export class McpPolicyView {
  @ApiProperty({ type: ToolPatternsView })
  tools!: ToolPatternsView;

  @ApiProperty({ type: NamePatternsView })
  resources!: NamePatternsView;

  @ApiProperty({ type: NamePatternsView })
  prompts!: NamePatternsView;

  @ApiProperty({ enum: NEW_TOOLS, description: NEW_TOOLS_RULE })
  new_tools!: string;

  @ApiProperty({ enum: SERVER_REQUESTS, isArray: true, description: SERVER_REQUESTS_RULE })
  server_requests!: readonly string[];

  @ApiProperty(limitField('calls_per_minute', CALLS_PER_MINUTE))
  calls_per_minute!: number | null;

  @ApiProperty(limitField('result_bytes', RESULT_BYTES))
  result_bytes!: number | null;

  @ApiProperty(limitField('streams', STREAMS))
  streams!: number | null;
}

export function mcpPolicyView(policy: McpPolicy): McpPolicyView {
  const { tools, resources, prompts } = policy;
  return {
    tools: { allowed: tools.allowed, denied: tools.denied, approval: tools.approval },
    resources: { allowed: resources.allowed, denied: resources.denied },
    prompts: { allowed: prompts.allowed, denied: prompts.denied },
    new_tools: policy.newTools,
    server_requests: policy.serverRequests,
    calls_per_minute: policy.callsPerMinute,
    result_bytes: policy.resultBytes,
    streams: policy.streams,
  };
}
