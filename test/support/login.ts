import { signIn } from './browser-sign-in';
import type { Answer, Person, TestGateway } from './gateway';

/** An unfinished sign-in: the provider's address (`url`) with its `state`, and the browser's cookie. */
export interface Login {
  readonly url: string;
  readonly state: string;
  readonly cookie: string;
}

export async function beginLogin(gateway: TestGateway, redirect?: string): Promise<Login> {
  const query = redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`;
  const answer = await gateway.call(null, 'GET', `/login${query}`);
  if (answer.status !== 200) throw new Error(`no sign-in: ${answer.text}`);
  const url = answer.body.login_url as string;
  return {
    url,
    state: new URL(url).searchParams.get('state') ?? '',
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  };
}

/** Signs in at the provider. Returns the gateway's answer to the callback. */
export async function signInAt(gateway: TestGateway, login: Login, person: Person): Promise<Answer> {
  const callback = await signIn(login.url, person);
  return comeBack(gateway, callback.search, login.cookie);
}

/** Sends the callback request as the same browser; without a cookie, as another browser. */
export function comeBack(gateway: TestGateway, query: string, cookie?: string): Promise<Answer> {
  return gateway.call(null, 'GET', `/callback${query}`, undefined, cookie === undefined ? {} : { cookie });
}
