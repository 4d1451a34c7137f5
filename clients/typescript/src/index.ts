export { Gateway, type GatewayOptions } from './gateway.js';
export type { Credential, TokenProvider } from './credential.js';
export { GatewayFault } from './gateway-fault.js';
export { answered, type Tagged, tagged } from './answered.js';
export type { ItemOf, PagedPath, PageQuery } from './paging.js';
export type { Retries } from './retries.js';
export type { SessionEnd, SessionEvent, SessionMessage, StreamOptions } from './event-stream.js';
export type { SessionEntry, SessionQuery } from './session-list.js';
export type { components, operations, paths } from './schema.js';
