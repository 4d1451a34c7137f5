import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from 'express';
import type { HttpSettings } from '../../platform/config/groups';

/**
 * Content security policy of the page. The page may load its own files and call this gateway, nothing else.
 * Styles that its components create carry the nonce. The player of terminal recordings needs WebAssembly.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** Settings that the page contains. */
export type PageSettings = Pick<HttpSettings, 'apiUrl' | 'apiPrefix' | 'bodyLimitMb'>;

/** The one HTML page of the portal. */
export class PortalPage {
  /** Id of the portal's build: a hash of its page. The page contains the file names of the build. */
  readonly build: string;
  private readonly before: string;
  private readonly after: string;

  /** @param folder folder with the built portal. @throws if the folder has no page */
  constructor(folder: string, { apiUrl, apiPrefix, bodyLimitMb }: PageSettings) {
    // Base path of the portal in the browser: the path of `API_URL`, if it has one.
    const base = new URL(apiUrl).pathname.replace(/\/$/, '');
    const built = readFileSync(join(folder, 'index.html'), 'utf8');
    this.build = createHash('sha256').update(built).digest('base64url').slice(0, 16);
    const html = built
      .replaceAll('="./', `="${base}/`)
      .replace('name="api" content="/api"', `name="api" content="${base}${apiPrefix}"`)
      .replace('name="base" content=""', `name="base" content="${base}"`)
      .replace('name="body-limit-mb" content="1"', `name="body-limit-mb" content="${bodyLimitMb}"`)
      .replace('name="build" content=""', `name="build" content="${this.build}"`);
    const [before, after, ...others] = html.split('name="csp-nonce" content="');
    if (before === undefined || after === undefined || others.length > 0)
      throw new Error('the page of the portal has no place for a nonce');
    this.before = `${before}name="csp-nonce" content="`;
    this.after = after;
  }

  send(response: Response): void {
    const nonce = randomBytes(16).toString('base64');
    response
      .set('Content-Security-Policy', policy(nonce))
      .set('Cache-Control', 'no-store')
      .set('Vary', 'Accept')
      .type('html')
      .send(`${this.before}${nonce}${this.after}`);
  }
}
