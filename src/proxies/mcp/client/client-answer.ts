import type { UpstreamAnswer } from '../../../targets/mcp/upstream';
import type { UrlElicitation } from './url-elicitation';

/**
 * What a client is answered: what the server said, or that its person has to open a
 * page of the gateway first. Only clients that open addresses get the second; they
 * repeat the request afterwards (see `OpenedPage`).
 */
export type ClientAnswer = UpstreamAnswer | { readonly kind: 'page'; readonly elicitation: UrlElicitation };
