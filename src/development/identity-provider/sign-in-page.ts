import type { DevelopmentUser } from './development-user';
import { escapeHtml, page } from './html';

/** The page on which a person chooses a user to sign in as: one button per development user. */
export function signInPage(action: string, application: string, users: Iterable<DevelopmentUser>): string {
  return page(
    'Choose who you are',
    `<p>to continue to <b>${escapeHtml(application)}</b></p>
<form method="post" action="${escapeHtml(action)}">
${[...users].map(userButton).join('\n')}
<button class="cancel" name="cancel" value="yes">Cancel</button>
</form>`,
  );
}

function userButton(user: DevelopmentUser): string {
  const groups = user.groups.map((group) => `<i>${escapeHtml(group)}</i>`).join('');
  return `<button class="user" name="username" value="${escapeHtml(user.username)}">
<b>${escapeHtml(user.name)}</b>
<span>${escapeHtml(user.email)}${user.emailVerified ? '' : ' (not verified)'}</span>
${groups === '' ? '' : `<span class="groups">${groups}</span>`}
</button>`;
}
