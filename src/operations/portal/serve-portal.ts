import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import sirv from 'sirv';
import { type PageSettings, PortalPage } from './portal-page';

/** Header that pages of the portal send. The response then contains the id of this gateway's build. */
const PAGE_HEADER = 'x-gateway-portal';
const BUILD_HEADER = 'X-Gateway-Portal-Build';
const YEAR_SECONDS = 31_536_000;
/**
 * Folders that may contain the built portal, relative to this module: in the bundle (the same folder), in the
 * compiled sources, or in the sources.
 */
const FOLDERS = ['.', '../../dist/portal', '../../../portal', '../../../dist/portal'].map((folder) =>
  join(__dirname, folder),
);

/**
 * Serves the portal at the root of the gateway: its files, and its page for every other address that a
 * browser opens. Serves nothing below the API prefix or `/.well-known` (RFC 8615). A header of the responses
 * informs an open page that the gateway was upgraded. Must run after the security headers are set.
 */
export function servePortal(http: PageSettings): RequestHandler {
  const folder = FOLDERS.find((each) => existsSync(join(each, 'assets')));
  if (folder === undefined) throw new Error('the portal was not built: npm run build, or PORTAL=false');
  const page = new PortalPage(folder, http);
  const files = serveFiles(folder);
  // Programs request paths below these prefixes and cannot use an HTML page as a response.
  const others = [http.apiPrefix.toLowerCase(), '/.well-known'];
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.headers[PAGE_HEADER] !== undefined) response.setHeader(BUILD_HEADER, page.build);
    const path = request.path.toLowerCase();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || others.some((other) => path === other || path.startsWith(`${other}/`))) return next();
    if (path.startsWith('/assets/') || path === '/favicon.svg') return void files(request, response, next);
    if (asksForHtml(request)) page.send(response);
    else next();
  };
}

/**
 * Serves the files that are in the folder at the time of this call. Their names contain a hash of their
 * content, and the build has compressed them.
 */
export function serveFiles(folder: string): RequestHandler {
  const files = sirv(folder, { brotli: true, gzip: true, immutable: true, maxAge: YEAR_SECONDS });
  return (request, response, next) => {
    // Ignores ranges, which is allowed (RFC 9110, section 14.2), because sirv sends wrong bytes for some
    // ranges and incomplete responses for others.
    delete request.headers.range;
    // sirv does not handle errors of files. Without this, a file that another version has removed would end
    // the process.
    response.once('pipe', (file) => file.once('error', () => response.destroy()));
    files(request, response, next);
  };
}

/** Whether the client accepts `text/html` by name. A program that accepts `*` does not expect a page. */
function asksForHtml({ headers }: Request): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}
