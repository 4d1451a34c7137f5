import type { OpenAPIObject } from '@nestjs/swagger';
import { DESCRIBED_ACCESS, type Policy } from '../routes/access';
import { DESCRIBED_ETAG } from '../routes/versioned';
import { type Operation, isReference, operationsOf } from './parts';

/**
 * The sentence for each policy in the API description. The tables of docs/contract.md use the policy's name.
 */
export const WHO_MAY_CALL: Readonly<Record<Policy | 'public', string>> = {
  public: 'Public: needs no credential.',
  'signed-in': 'For all signed-in callers.',
  operator: 'For all signed-in callers except auditors.',
  auditor: 'For auditors and admins.',
  admin: 'For admins.',
};

/** Descriptions of path parameters without a decorator. */
const parameters: Readonly<Record<string, string>> = {
  id: 'The identifier of the resource.',
  name: 'The name of the resource.',
  nameOrID: 'The name of the connection, or its id.',
};

/** Adds to the description of each operation what its decorators define: policy, pages and versions. */
export function describeOperations(document: OpenAPIObject): void {
  for (const operation of operationsOf(document)) {
    const { [DESCRIBED_ACCESS]: policy, ...rest } = operation as Operation & { [DESCRIBED_ACCESS]?: Policy };
    const access = WHO_MAY_CALL[policy ?? 'public'];
    const sentences = [operation.description, access, ...behaviours(rest)];
    operation.description = sentences.filter((sentence) => sentence !== undefined).join('\n\n');
    for (const parameter of operation.parameters ?? []) {
      const meaning = isReference(parameter) ? undefined : parameters[parameter.name];
      if (!isReference(parameter) && meaning !== undefined) parameter.description ??= meaning;
    }
    // Marks public operations as needing no credential.
    operation.security ??= [];
    Reflect.deleteProperty(operation, DESCRIBED_ACCESS);
  }
}

function behaviours(operation: Operation): string[] {
  const takes = (name: string) =>
    (operation.parameters ?? []).some((parameter) => !isReference(parameter) && parameter.name === name);
  return [
    ...(takes('page_size') ? ['The answer is one page of the list; `pages.total` counts all items.'] : []),
    ...(DESCRIBED_ETAG in operation ? ['The `ETag` of the answer is the version of the resource.'] : []),
    ...(takes('If-Match')
      ? ['With `If-Match`, the change is made only if the resource still has that version.']
      : []),
  ];
}
