import { Browser, signIn } from './browser-sign-in';
import type { Person, TestGateway } from './gateway';

/** The page of a review in a browser. */
export interface OpenedPage {
  readonly browser: Browser;
  readonly url: URL;
  readonly response: Response;
  readonly html: string;
}

/** Opens the page of a review as that person, through the sign-in. */
export async function openReviewPage(
  gateway: Pick<TestGateway, 'api'>,
  review: string,
  person: Person,
  browser = new Browser(),
): Promise<OpenedPage> {
  const url = new URL(`${gateway.api}/pages/reviews/${review}`);
  const begun = await browser.request(url);
  if (begun.status !== 303) throw new Error(`no sign-in: ${begun.status} ${await begun.text()}`);
  const callback = await signIn(begun.headers.get('location') ?? '', person);
  const completed = await browser.request(callback);
  if (completed.headers.get('location') !== url.href)
    throw new Error(`not back: ${completed.headers.get('location')}`);
  return reloaded({ browser, url });
}

export async function reloaded({ browser, url }: Pick<OpenedPage, 'browser' | 'url'>): Promise<OpenedPage> {
  const response = await browser.request(url);
  return { browser, url, response, html: await response.text() };
}

/** Presses a button of the page. */
export function pressOn(
  { browser, url, html }: OpenedPage,
  decision: string,
  more: Record<string, string> = {},
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
): Promise<Response> {
  const proof = /name="proof" value="([^"]*)"/.exec(html)?.[1] ?? '';
  return browser.request(url, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ proof, decision, ...more }),
  });
}
