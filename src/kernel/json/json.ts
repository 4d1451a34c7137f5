/**
 * JSON that keeps every number and refuses duplicate names: reading, writing, canonical form, and pointers.
 */
export {
  emptyObject,
  isObject,
  JSON_BOUNDS,
  type Json,
  type JsonBounds,
  JsonFault,
  type JsonFaultReason,
  JsonNumber,
  type JsonObject,
} from './json-value';
export { pointerPart, pointerParts, valueAt } from './json-pointer';
export { nameKey } from './name-key';
export { canonicalHash } from './canonical-hash';
export { eachJsonPiece, isLargeJson, jsonPieces, writeJsonInSlices } from './json-pieces';
export { readJson } from './read-json';
export { canonicalJson, writeJson } from './write-json';
export { parseJson, plainJson } from './parse-json';
