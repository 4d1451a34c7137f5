import type { UpstreamAnswer } from '../../../targets/mcp/upstream';
import type { UrlElicitation } from './url-elicitation';

/**
 * Answer to a client: the server's answer, or a page of the gateway that the user must open first. Only
 * clients that can open URLs get a page. They repeat the request afterwards (see `OpenedPage`).
 */
export type ClientAnswer = UpstreamAnswer | { readonly kind: 'page'; readonly elicitation: UrlElicitation };
