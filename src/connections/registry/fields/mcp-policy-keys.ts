import { NEW_TOOLS, SERVER_REQUESTS } from '../../../gate/ports/target-directory';
import { isStorable } from '../../../platform/http/dto/fields';
import { AppError } from '../../../kernel/app-error';
import { MAX_GLOBS, MAX_GLOB_LENGTH, type McpPolicyBody, POLICY_LIMITS } from './mcp-policy.dto';

/** The path of a field within `mcp_policy`. */
type Path = readonly [string] | readonly [string, string];

interface PolicyKey {
  readonly path: Path;
  /** Parses the value of the field. @throws Fault, whose message follows the name of the key in the error */
  read(value: string): unknown;
}

/** Policy values that were found in a secret, by the name of the secret field. */
export type PolicyKeys = ReadonlyMap<string, { readonly path: Path; readonly value: unknown }>;

class Fault extends Error {}

/** The secret fields in which clients of the reference system send the MCP policy. */
const KEYS: Readonly<Record<string, PolicyKey>> = {
  MCP_ALLOWED_TOOLS: { path: ['tools', 'allowed'], read: globsIn },
  MCP_DENIED_TOOLS: { path: ['tools', 'denied'], read: globsIn },
  MCP_APPROVAL_TOOLS: { path: ['tools', 'approval'], read: globsIn },
  MCP_ALLOWED_RESOURCES: { path: ['resources', 'allowed'], read: globsIn },
  MCP_DENIED_RESOURCES: { path: ['resources', 'denied'], read: globsIn },
  MCP_ALLOWED_PROMPTS: { path: ['prompts', 'allowed'], read: globsIn },
  MCP_DENIED_PROMPTS: { path: ['prompts', 'denied'], read: globsIn },
  MCP_NEW_TOOLS: { path: ['new_tools'], read: (value) => oneOf(NEW_TOOLS, value) },
  MCP_SERVER_REQUESTS: {
    path: ['server_requests'],
    read: (value) => textsIn(value).map((text) => oneOf(SERVER_REQUESTS, text)),
  },
  MCP_CALLS_PER_MINUTE: { path: ['calls_per_minute'], read: limit('calls_per_minute') },
  MCP_RESULT_BYTES: { path: ['result_bytes'], read: limit('result_bytes') },
  MCP_STREAMS: { path: ['streams'], read: limit('streams') },
};

/**
 * Takes the policy fields out of a secret, because a policy is not stored as a secret. A field with several
 * patterns is a comma-separated list, or a JSON array of strings if a pattern contains a comma.
 * @param secret in plain text.
 * @throws AppError `unprocessable` that names every faulty field, and never a value.
 */
export function takePolicyKeys(secret: Readonly<Record<string, string>>): {
  readonly secret: Record<string, string>;
  readonly keys: PolicyKeys;
} {
  const rest: Record<string, string> = {};
  const keys = new Map<string, { path: Path; value: unknown }>();
  const faults: string[] = [];
  for (const [name, value] of Object.entries(secret)) {
    const key = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
    if (key === undefined) {
      rest[name] = value;
      continue;
    }
    try {
      keys.set(name, { path: key.path, value: key.read(value) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.push(`secret.${name} ${error.message}`);
    }
  }
  if (faults.length > 0) throw new AppError('unprocessable', faults.join('; '));
  return { secret: rest, keys };
}

/**
 * Adds the policy values from the secret to a policy.
 * @throws AppError `unprocessable` for a field that has a value in both the policy and the secret.
 */
export function withPolicyKeys(body: McpPolicyBody, keys: PolicyKeys): McpPolicyBody {
  const result: Record<string, unknown> = { ...body };
  for (const [name, { path, value }] of keys) {
    const [field, part] = path;
    const held = result[field] ?? undefined;
    const isGiven = part === undefined ? held : (held as Record<string, unknown> | undefined)?.[part];
    if (isGiven !== undefined && isGiven !== null)
      throw new AppError(
        'unprocessable',
        `secret.${name} and mcp_policy.${path.join('.')} are the same, give one of them`,
      );
    result[field] = part === undefined ? value : { ...held, [part]: value };
  }
  return result;
}

function globsIn(value: string): string[] {
  const globs = textsIn(value);
  if (globs.length > MAX_GLOBS) throw new Fault(`must not have more than ${MAX_GLOBS} patterns`);
  if (globs.some((glob) => glob === '' || glob.length > MAX_GLOB_LENGTH || !isStorable(glob)))
    throw new Fault(`must have patterns of 1 to ${MAX_GLOB_LENGTH} characters`);
  return globs;
}

function textsIn(value: string): string[] {
  if (!value.trimStart().startsWith('[')) {
    const texts = value.split(/[,\n]/).map((text) => text.trim());
    return texts.filter((text) => text !== '');
  }
  let list: unknown;
  try {
    list = JSON.parse(value);
  } catch {
    throw new Fault('must be comma-separated or a JSON array of strings');
  }
  if (!Array.isArray(list) || !list.every((text) => typeof text === 'string'))
    throw new Fault('must be comma-separated or a JSON array of strings');
  return list;
}

function oneOf<T extends string>(choices: readonly T[], value: string): T {
  const found = choices.find((choice) => choice === value.trim());
  if (found === undefined) throw new Fault(`must be one of ${choices.join(', ')}`);
  return found;
}

function limit(name: keyof typeof POLICY_LIMITS): (value: string) => number {
  const { min, max } = POLICY_LIMITS[name];
  return (value) => {
    const number = /^\d{1,15}$/.test(value.trim()) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new Fault(`must be a whole number from ${min} to ${max}`);
  };
}
