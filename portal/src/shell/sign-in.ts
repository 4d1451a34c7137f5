import { requests } from '../api/client';
import { kept } from '../parts/kept';
import { texts } from '../texts';
import { meta } from './meta';

const WINDOW = 'popup,width=520,height=720';
/** Kept while this tab is at the identity provider. */
const LEFT = 'left for a sign-in';

/** Whether this tab comes from a sign-in. */
export const isBack = kept.read(LEFT) !== '';
kept.remove(LEFT);

/**
 * An error code of OAuth 2.0 from the gateway. An address can contain anything: people would read a sentence
 * in it as one of the gateway's.
 */
const CODE = /^[\w.-]{1,40}$/;

/** Why the sign-in did not succeed that led to this page; undefined where none failed. */
export function whyFailed(): string | undefined {
  const why = new URLSearchParams(location.search).get('error');
  return why === null || CODE.test(why) ? (why ?? undefined) : texts.signIn.noReason;
}

async function signInAddress(redirect: string): Promise<string> {
  const { data } = await requests.GET('/login', { params: { query: { portal: '1', redirect } } });
  if (data === undefined) throw new Error('the gateway gave no address');
  return data.login_url;
}

/** Leaves this page for the sign-in, and comes back to it. @throws ApiFault */
export async function signIn(): Promise<void> {
  const page = new URL(location.href);
  page.searchParams.delete('error');
  page.hash = '';
  const address = await signInAddress(page.href);
  kept.write(LEFT, 'yes');
  location.assign(address);
}

/** Signs in beside this page. @returns false when the browser opens no window. @throws ApiFault */
export async function signInBeside(): Promise<boolean> {
  // Opened before anything is awaited, or the browser takes it for a window that nobody asked for.
  const beside = window.open('about:blank', 'sign-in', WINDOW);
  if (beside === null) return false;
  beside.location.assign(await signInAddress(new URL(`${meta('base')}/signed-in`, location.origin).href));
  return true;
}
