import type { OpenAPIObject } from '@nestjs/swagger';
import { closeBodies, describeMergePatches } from './bodies';
import { describeOperations } from './descriptions';
import { exemplifyBodies } from './examples';
import { headers } from './headers';
import { type Schemas, reachableSchemas } from './parts';
import { settleResponses } from './responses';
import { settleSchemas } from './schemas';

/**
 * Makes the description that the decorators give complete, and strict OpenAPI 3.0.3: what holds for all operations
 * and schemas is said here once, so that a new route has it without doing anything for it.
 */
export function completeDocument(described: OpenAPIObject): OpenAPIObject {
  const document = plainCopy(described);
  const schemas: Schemas = { ...document.components?.schemas };
  settleSchemas(schemas);
  describeOperations(document);
  describeMergePatches(document);
  const responses = settleResponses(document);
  closeBodies(document, schemas);
  exemplifyBodies(document, schemas);
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  const used = reachableSchemas(sorted, [document.paths, responses]);
  return plainCopy({
    ...document,
    info: { ...document.info, contact: { name: 'The operators of this gateway' } },
    components: {
      ...document.components,
      schemas: Object.fromEntries(Object.entries(sorted).filter(([name]) => used.has(name))),
      responses,
      headers: usedHeaders(document, responses),
    },
  });
}

/**
 * Without parts that are one object in two places: those of the decorators are used each time that a document is
 * made, and YAML would say the second by a reference to the first.
 */
function plainCopy(document: OpenAPIObject): OpenAPIObject {
  return JSON.parse(JSON.stringify(document)) as OpenAPIObject;
}

/** Only what is referred to: a linter finds what nobody uses. */
function usedHeaders(...roots: unknown[]): typeof headers {
  const text = JSON.stringify(roots);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  ) as typeof headers;
}
