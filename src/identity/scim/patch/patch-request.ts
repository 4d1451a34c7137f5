import { fieldOf, isRecord } from '../values/attributes';
import { ScimFault, invalidPath, invalidValue } from '../values/scim-fault';

/** One operation of a PATCH (RFC 7644, section 3.5.2). */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  /** Undefined if the provider sends no path. Then `value` names the attributes. */
  readonly path: string | undefined;
  readonly value: unknown;
}

const MAX_OPERATIONS = 1_000;
const MAX_PATH = 1_024;
const OPS = ['add', 'replace', 'remove'] as const;

/**
 * Reads a PATCH as providers send it: names of fields and operations in any case (Entra: `"op": "Replace"`).
 * @throws ScimFault `invalidSyntax`, `invalidValue`, `invalidPath`
 */
export function readPatch(body: unknown): PatchOperation[] {
  const operations = isRecord(body) ? fieldOf(body, 'Operations') : undefined;
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimFault(400, 'Operations must be a list with at least one operation', 'invalidSyntax');
  if (operations.length > MAX_OPERATIONS)
    throw invalidValue(`a PATCH may have ${MAX_OPERATIONS} operations at most`);
  return operations.map((operation: unknown) => {
    if (!isRecord(operation)) throw new ScimFault(400, 'an operation must be an object', 'invalidSyntax');
    const given = fieldOf(operation, 'op');
    const op = OPS.find((name) => typeof given === 'string' && given.toLowerCase() === name);
    if (op === undefined) throw new ScimFault(400, 'op must be add, replace or remove', 'invalidSyntax');
    const path = fieldOf(operation, 'path');
    if (path !== undefined && path !== null && (typeof path !== 'string' || path.length > MAX_PATH))
      throw invalidPath('a path must be a text');
    const value = fieldOf(operation, 'value');
    return { op, path: typeof path === 'string' && path !== '' ? path : undefined, value };
  });
}
