import { requests } from '../api/client';
import { kept } from '../parts/kept';
import { texts } from '../texts';
import { meta } from './meta';

const WINDOW = 'popup,width=520,height=720';
/** Storage key that is set while this tab shows the sign-in pages of the identity provider. */
const LEFT = 'left for a sign-in';

/** Whether this page was opened after a sign-in that this tab began. */
export const isBack = kept.read(LEFT) !== '';
kept.remove(LEFT);

/**
 * Error code of OAuth 2.0. Other values in the URL are not shown: anybody can write a URL, and people could
 * mistake a sentence in it for a message of the gateway.
 */
const CODE = /^[\w.-]{1,40}$/;

/** Returns why the sign-in that led to this page failed; undefined: no sign-in failed. */
export function whyFailed(): string | undefined {
  const why = new URLSearchParams(location.search).get('error');
  return why === null || CODE.test(why) ? (why ?? undefined) : texts.signIn.noReason;
}

async function signInAddress(redirect: string): Promise<string> {
  const { data } = await requests.GET('/login', { params: { query: { portal: '1', redirect } } });
  if (data === undefined) throw new Error('the gateway gave no address');
  return data.login_url;
}

/** Leaves this page for the sign-in, which returns to it. @throws ApiFault */
export async function signIn(): Promise<void> {
  const page = new URL(location.href);
  page.searchParams.delete('error');
  page.hash = '';
  const address = await signInAddress(page.href);
  kept.write(LEFT, 'yes');
  location.assign(address);
}

/** Opens the sign-in in a second window. @returns false when the browser opens no window. @throws ApiFault */
export async function signInBeside(): Promise<boolean> {
  // Open the window before the first `await`, because browsers later block it as a pop-up without a click.
  const beside = window.open('about:blank', 'sign-in', WINDOW);
  if (beside === null) return false;
  beside.location.assign(await signInAddress(new URL(`${meta('base')}/signed-in`, location.origin).href));
  return true;
}
