import type { OpenAPIObject } from '@nestjs/swagger';
import { MERGE_PATCH_TYPE } from '../body/content-type';
import {
  type Content,
  type Schema,
  type Schemas,
  isReference,
  nodesBelow,
  operationsOf,
  reachableSchemas,
  referenceTo,
  referredName,
} from './parts';

/** Contents of all request bodies, each by media type. */
export function requestContents(document: OpenAPIObject): Content[] {
  return operationsOf(document).flatMap(({ requestBody }) =>
    requestBody === undefined || isReference(requestBody) ? [] : [requestBody.content],
  );
}

/**
 * Describes the content type of merge patches in words, at every PATCH. The generator progenitor refuses a
 * body with two media types, and other generators choose plain JSON.
 */
export function describeMergePatches(document: OpenAPIObject): void {
  for (const { patch } of Object.values(document.paths)) {
    const body = patch?.requestBody;
    if (body === undefined || isReference(body)) continue;
    body.description = `A merge patch (RFC 7396). It may also be sent as \`${MERGE_PATCH_TYPE}\`.`;
  }
}

/**
 * Sets `additionalProperties: false` on bodies that refuse unknown fields. Answers stay open, so that a later
 * version may add fields. A schema that both bodies and answers use is split in two: `<Thing>Body` is closed,
 * `<Thing>View` is open.
 */
export function closeBodies(document: OpenAPIObject, schemas: Schemas): void {
  const answers = operationsOf(document).map(({ responses }) => responses);
  const sent = reachableSchemas(schemas, requestContents(document));
  const shared = [...reachableSchemas(schemas, answers)].filter((name) => sent.has(name));
  const views = new Map(shared.map((name) => [name, name.replace(/(Body)?$/, 'View')]));
  for (const [name, view] of views) {
    if (view in schemas)
      throw new Error(`${name} is both sent and answered, but there is another schema ${view}`);
    schemas[view] = structuredClone(schemas[name] as Schema);
  }
  const answered = [...reachableSchemas(schemas, answers)].filter((name) => !sent.has(name));
  const owners = [...answers, ...[...answered, ...views.values()].map((name) => schemas[name])];
  for (const node of nodesBelow(owners)) {
    const view = views.get(referredName(node) ?? '');
    if (view !== undefined) Object.assign(node, referenceTo(view));
  }
  for (const name of sent) close(schemas[name]);
}

function close(schema: Schemas[string] | undefined): void {
  if (schema === undefined || isReference(schema) || schema.properties === undefined) return;
  schema.additionalProperties ??= false;
}
