import type { Response } from 'express';
import { answerPage, attribute, shownText } from '../../../platform/http/pages/page';
import type { Principal } from '../../../kernel/principal';
import type { AuthorizationDevice } from '../stored/authorization.entity';
import { shownUserCode } from '../protocol/user-code';

/**
 * Sends the page on which a user types the code that the device shows. No URL can fill in the code, because
 * otherwise a user who follows a link could confirm a sign-in that an attacker began.
 */
export function sendCodeForm(response: Response, proof: string, problem?: string): void {
  answerPage(response, {
    status: problem === undefined ? 200 : 422,
    title: 'Sign in at another device',
    body: `${problem === undefined ? '' : `<p class="warning" role="alert">${shownText(problem)}</p>\n`}<p>Type the code that your terminal shows.</p>
<form method="post" action="device">
<input type="hidden" name="proof" value="${attribute(proof)}">
<label>Code<input name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required></label>
<button class="allow">Continue</button>
</form>
<p class="note">The code is from <code>gateway login --device</code>, which you started yourself. If somebody sent you a code or this address, close this page: they want to act in your name.</p>`,
  });
}

/** Data that the page shows before the person decides. */
export interface DeviceQuestion {
  readonly device: AuthorizationDevice;
  readonly userCode: string;
  readonly person: Pick<Principal, 'name' | 'email' | 'role'>;
  /** Network address of the user's browser. */
  readonly address: string;
  readonly proof: string;
}

/** Sends the page that shows which device wants access, and asks the person to allow or refuse it. */
export function sendDeviceQuestion(response: Response, question: DeviceQuestion): void {
  const { device, userCode, person, address, proof } = question;
  const elsewhere =
    device.address === address
      ? ''
      : `<p class="warning" role="note"><strong>Take care.</strong> The request came from ${shownText(device.address)}, and you are at ${shownText(address)}. Allow it only if you know that computer.</p>\n`;
  answerPage(response, {
    status: 200,
    title: 'Allow the command line to act in your name?',
    body: `<p>A terminal asks to use this gateway as you. It can do whatever you may do here${person.role === 'admin' ? ', <strong>also as an administrator</strong>' : ''}, and what it does is recorded as yours.</p>
<dl>
<div><dt>Your terminal shows this code</dt><dd>${shownText(shownUserCode(userCode))}</dd></div>
<div><dt>Asked from</dt><dd>${shownText(device.address)}</dd></div>
<div><dt>Program, as it calls itself</dt><dd>${shownText(device.userAgent || 'without a name')}</dd></div>
<div><dt>Asked at</dt><dd>${device.createdAt.toISOString()}</dd></div>
<div><dt>You are signed in as</dt><dd>${shownText(person.email || person.name)}</dd></div>
</dl>
${elsewhere}<p class="warning" role="note"><strong>Nobody has a reason to send you a code.</strong> Allow this only if you started <code>gateway login --device</code> yourself, a moment ago, and it shows the same code.</p>
<form method="post" action="device">
<input type="hidden" name="user_code" value="${attribute(userCode)}">
<input type="hidden" name="proof" value="${attribute(proof)}">
<button class="allow" name="decision" value="allow">Allow</button>
<button name="decision" value="refuse">Refuse</button>
</form>
<p class="note">What you allow ends after 30 days, and with <code>gateway logout</code>.</p>`,
  });
}
