import type { OpenAPIObject } from '@nestjs/swagger';
import { plainJson } from '../../../kernel/json/json';
import { closeBodies, describeMergePatches } from './bodies';
import { describeOperations } from './descriptions';
import { exemplifyBodies } from './examples';
import { headers } from './headers';
import { type Schemas, reachableSchemas } from './parts';
import { settleResponses } from './responses';
import { settleSchemas } from './schemas';

/**
 * Completes the description made from the decorators, in strict OpenAPI 3.0.3. Adds everything that applies
 * to all operations and schemas, so that new routes need no code for it.
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
 * Copies the document, so that no object occurs in it twice. The decorators reuse their objects, and YAML
 * would write a repeated object as a reference to the first one.
 */
function plainCopy(document: OpenAPIObject): OpenAPIObject {
  return plainJson(document) as OpenAPIObject;
}

/** Returns only the headers that the document refers to, because linters report unused headers. */
function usedHeaders(...roots: unknown[]): typeof headers {
  const text = JSON.stringify(roots);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  ) as typeof headers;
}
