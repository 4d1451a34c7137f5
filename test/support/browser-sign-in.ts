import { escapeHtml } from '../../src/development/identity-provider/html';

interface Cookie {
  value: string;
  path: string;
}

/**
 * The part of a browser that a sign-in needs, for one host: it stores cookies with their paths, and does not
 * follow redirects.
 */
export class Browser {
  private readonly cookies = new Map<string, Cookie>();

  async request(
    url: URL,
    init: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const sent = [...this.cookies].filter(([, { path }]) => isWithin(url.pathname, path));
    const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie ? { cookie } : {}) },
    });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice('path='.length) ?? '/';
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, { value, path });
  }
}

/** Whether a request path matches the path of a cookie (RFC 6265, section 5.1.4). */
function isWithin(path: string, cookiePath: string): boolean {
  return path === cookiePath || path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`);
}

/**
 * Opens `loginUrl` at the development identity provider, and signs in as `username`. Returns the first
 * address outside of the provider to which it redirects: the gateway's callback with `code` and `state`. With
 * `form`, presses another button of the page.
 */
export async function signIn(
  loginUrl: string,
  username: string,
  form: Record<string, string> = { username },
): Promise<URL> {
  const browser = new Browser();
  let url = new URL(loginUrl);
  const issuer = url.origin;
  let response = await browser.request(url);
  for (let step = 0; step < 10; step++) {
    const location = response.headers.get('location');
    if (location === null) {
      url = formAction(await response.text(), url, username);
      response = await browser.request(url, { method: 'POST', body: new URLSearchParams(form) });
    } else {
      url = new URL(location, url);
      if (url.origin !== issuer) return url;
      response = await browser.request(url);
    }
  }
  throw new Error(`The sign-in at ${issuer} did not come to an end within ten steps.`);
}

function formAction(html: string, url: URL, username: string): URL {
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1];
  if (action === undefined || !html.includes(`value="${escapeHtml(username)}"`)) {
    throw new Error(`${url.href} is no sign-in page that lists ${username}:\n${html}`);
  }
  return new URL(action, url);
}
