import type { Request } from 'express';
import { PageFault } from './page-fault';

/** Browsers send the site that a form comes from. @throws PageFault for a form of another one */
export function requireOwnForm({ headers }: Pick<Request, 'headers'>, apiUrl: string): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeign =
    (site !== undefined && site !== 'same-origin') ||
    // Without a referrer, browsers send `null` for forms of the page itself.
    (origin !== undefined && origin !== 'null' && origin !== new URL(apiUrl).origin);
  if (isForeign) throw new PageFault('Please start again', 'The form was sent by another site.', 403);
}
