// One generated file for both: what the published client knows of the API.
export type { components, operations, paths } from '../../../clients/typescript/src/schema';
