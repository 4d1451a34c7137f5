import type { Answer, Person, TestGateway } from './gateway';
import { signInAt } from './login';

/** Headers that a browser sends with a request of a portal page. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
export const OWN_CHANGE = { ...OWN_PAGE, 'x-gateway-portal': '1' };

/** A browser that is signed in at the portal. */
export interface PortalBrowser {
  /** The session cookie of the portal: `name=value` */
  readonly cookie: string;
  /** Sends a request as a page of the portal does. `headers` replaces `OWN_PAGE` or `OWN_CHANGE`. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    at?: TestGateway,
  ): Promise<Answer>;
}

/** Begins a sign-in at the portal; the sign-in page of the provider comes next. */
export async function beginAtPortal(gateway: TestGateway, redirect?: string) {
  const query = new URLSearchParams({ portal: '1', ...(redirect === undefined ? {} : { redirect }) });
  const answer = await gateway.call(null, 'GET', `/login?${query.toString()}`);
  if (answer.status !== 200) throw new Error(`no sign-in: ${answer.text}`);
  const url = answer.body.login_url as string;
  return {
    url,
    state: new URL(url).searchParams.get('state') ?? '',
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  };
}

export async function signInAtPortal(gateway: TestGateway, person: Person): Promise<PortalBrowser> {
  const back = await signInAt(gateway, await beginAtPortal(gateway), person);
  return browserWith(gateway, portalCookieIn(back)?.split(';')[0] ?? '');
}

/** The `Set-Cookie` of the portal in an answer. */
export function portalCookieIn(answer: Answer): string | undefined {
  return answer.headers.getSetCookie().find((line) => /^(__Host-)?gateway=/.test(line));
}

export function browserWith(gateway: TestGateway, cookie: string): PortalBrowser {
  return {
    cookie,
    call: (
      method,
      path,
      body,
      headers = method === 'GET' || method === 'HEAD' ? OWN_PAGE : OWN_CHANGE,
      at = gateway,
    ) => at.call(null, method, path, body, { cookie, ...headers }),
  };
}
