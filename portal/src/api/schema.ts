// The portal and the published client share one generated description of the API.
export type { components, operations, paths } from '../../../clients/typescript/src/schema';
