import { secondLookTexts } from './texts-second-looks';
import { administrationTexts } from './texts-administration';
import { auditTexts } from './texts-audit';
import { kindTexts } from './texts-kinds';
import { operatorTexts } from './texts-operators';
import { partTexts } from './texts-parts';
import { sessionTexts } from './texts-sessions';
import { wayTexts } from './texts-ways';
import type { MissingApproval, Titled } from './texts-titles';

/** Every text of the portal that people read, by screen. Texts of the gateway come from the API unchanged. */
export const texts = {
  product: 'Access Gateway',
  signIn: {
    title: 'Sign in',
    explained:
      'You reach databases and MCP servers through this gateway with your account of your organization.',
    action: 'Sign in',
    again: 'Sign in again',
    ended: 'Your sign-in has ended. Sign in again in a new window; what you typed stays here.',
    goesOn: 'You are still signed in.',
    missed: 'Your sign-in had ended, so this was not done. Sign in again, and then do it again.',
    popup: 'The browser did not open a window. Allow pop-up windows for this page, or reload it to sign in.',
    done: 'You are signed in. This window can be closed.',
    failed: (why: string) => `The sign-in did not succeed: ${why}.`,
    noReason: 'no reason was given',
    unknown: (why: string) => `You are not signed in: ${why}.`,
    noCookies:
      'This browser keeps no cookies for this page, and without one nobody can sign in. Allow cookies for this address, and reload the page.',
    other: (who: string) =>
      `${who} signed in at this browser. This page was opened by somebody else and does nothing in their name. Sign in again as before; what you typed stays here.`,
    continueAs: (who: string) => `Go on as ${who}`,
  },
  navigation: {
    label: 'Pages',
    sections: { own: 'My work', audit: 'Audit', operation: 'Operation' },
    skip: 'Skip to the content',
    connections: 'My connections',
    run: kindTexts.scriptsIn(undefined).run,
    requests: 'My requests',
    toDecide: 'To decide',
    toSignOff: 'To sign off',
    mySessions: 'My sessions',
    sessions: 'Sessions',
    allRequests: 'All requests',
    users: 'Users',
    groups: 'Groups',
    machineKeys: 'API keys',
    scimTokens: 'SCIM tokens',
    organization: 'Organization',
    webhooks: 'Webhooks',
    audit: 'Audit log',
    retention: 'Retention',
    myClients: 'My MCP clients',
    sshKeys: 'My SSH keys',
    health: 'Health',
    signOut: 'Sign out',
    colors: 'Switch between light and dark',
    utc: 'Times in UTC',
    menu: 'Menu',
  },
  states: {
    loading: 'Loading …',
    offline: 'The gateway cannot be reached. Trying again …',
    refused: 'You may not see this.',
    refusedExplained: 'This page is for other roles. Ask an administrator if you need it.',
    refusedToAuditors:
      'This page is for administrators. Auditors read sessions, requests, rules and people; the audit log, and what holds keys and secrets, is for administrators alone.',
    missing: 'This page does not exist.',
    missingExplained: 'Its address is wrong, or what it was about is no more.',
    toStart: 'Go to the first page',
    failed: 'This could not be loaded.',
    stale: 'This could not be read again. What you see may have changed.',
    retry: 'Try again',
    unreached: 'The gateway could not be reached.',
    noNetwork: 'You are offline. What you do now is not sent, and not later either.',
    unsent:
      'You are offline: this was not done, and will not be done later by itself. Do it again when you are online.',
    unclear:
      'No answer came: this may have been done, or not. What the gateway has is shown as soon as it answers; look before you do it again.',
    waits: (why: string, at: string | undefined) =>
      at === undefined ? `${why}. Trying again …` : `${why}. This page tries again at ${at}.`,
    later: (why: string, at: string) => `${why}. Try again from ${at} on.`,
    reload: 'The gateway was updated. Reload this page to go on; what you typed is kept, but for secrets.',
    reloadNow: 'Reload',
    part: 'This part of the page could not be loaded. Reload the page; what you typed is kept, but for secrets.',
  },
  myConnections: {
    title: 'My connections',
    none: 'No connections that you may see. Ask an administrator for access.',
    noMatch: 'No connection that you may see matches.',
    search: 'Search connections',
    name: 'Name',
    kind: 'Kind',
    status: 'Status',
    state: { online: 'online', offline: 'offline', unknown: 'not tried yet' },
  },
  actions: {
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'The browser refused',
    cancel: 'Cancel',
    more: 'Load more',
  },
  ...wayTexts,
  kinds: kindTexts,
  reviews: {
    toDecide: 'To decide',
    mine: 'My requests',
    all: 'All requests',
    noneAsked: 'No matching requests.',
    decidedBy: 'Decided by',
    filters: { status: 'State', after_review: 'Second look' },
    request: 'Request',
    nothingToDecide: 'Nothing waits for your decision.',
    nothingAsked: 'You have asked for nothing yet.',
    what: 'Request',
    who: 'Who',
    asked: 'Asked',
    state: 'State',
    title: ({ connection, call, session_id: session }: Titled) =>
      call
        ? `${call.name} on ${connection.name}`
        : session === null
          ? `Access to ${connection.name}`
          : `Script on ${connection.name}`,
    by: ({ name, email }: { readonly name: string; readonly email: string }) =>
      name === '' || name === email ? email : `${name} (${email})`,
    expires: (when: string) => `Expires ${when}`,
    reason: 'Reason',
    because: 'Reason:',
    next: (count: number) => `Next request (${count})`,
    why: 'Reason for the refusal',
    tool: 'Tool',
    removed: 'The content was removed.',
    access: 'Access for a while, without a certain statement.',
    rule: 'Asked for by the rule',
    duration: (time: string) => `For ${time}.`,
    hours: ({
      start_time: from,
      end_time: until,
    }: {
      readonly start_time: string;
      readonly end_time: string;
    }) => `Between ${from} and ${until} UTC.`,
    groups: 'Decisions of the groups',
    missing: (
      { rule, approvals, groups, each_of: each, one_of: one }: MissingApproval,
      isOneOfSeveral: boolean,
    ) => {
      const of = isOneOfSeveral ? `For the rule ${rule}: ` : '';
      const people =
        approvals === 1 ? 'one more approval is needed' : `${approvals} more people have to approve`;
      const who = `${people}, of ${groups.join(' or ')}`;
      const all =
        each.length > 1
          ? `each of these groups has to approve still: ${each.join(', ')}`
          : `the group ${each[0]} has to approve still`;
      const sentences = [
        ...(each.length > 0 ? [all] : []),
        // Omit the number of approvals if one approval from each group in `each` is enough.
        ...(each.length === 0 || approvals > each.length ? [who] : []),
        ...(one.length > 0 ? [`one of them has to be of ${one.join(' or ')}`] : []),
      ];
      const said = `${of}${sentences.join('; ')}.`;
      return said.charAt(0).toUpperCase() + said.slice(1);
    },
    yourSay: {
      own: 'You asked for it yourself, so you cannot approve it.',
      given: 'You have approved it. Others have to approve it still.',
      can: 'You can approve it.',
      tooFew: 'You can approve it, and others still have to: what is missing is not of your groups.',
      cannot: 'You are in none of these groups, so you cannot approve it.',
      otherAccount:
        'Another account with your e-mail address asked for it or has approved it, so you cannot approve it.',
    },
    hoursOfDay: 'Hours of the day in which it may be used. Empty: all.',
    from: 'From (UTC)',
    until: 'Until (UTC)',
    hoursWrong: 'Write hours as 09:30, both or none.',
    approve: 'Approve',
    reject: 'Reject',
    withdraw: 'Withdraw',
    revoke: 'Revoke the approval',
    reasonAgainst: {
      reject: 'Reason for the rejection',
      withdraw: 'Reason for the withdrawal',
      revoke: 'Reason for the revocation',
    },
    mayForce: (groups: readonly string[]) => `May be forced by: ${groups.join(', ')}.`,
    ...secondLookTexts,
    unreadable: 'The gateway cannot read this script',
    statements: (total: number, shown: number) =>
      `${total === 1 ? 'One statement' : `${total} statements`}, as the gateway reads them${total > shown ? `; the first ${shown}` : ''}`,
    kinds: 'Effects',
    tables: 'Tables',
    written: (table: string) => `${table} (changed)`,
    allRows: 'all rows',
    hidden: (reason: string) => `Not all of it can be told from its text: ${reason}`,
    earlier: 'Approved before',
    noneEarlier: 'Nothing was approved before for this person and connection that you may see.',
    sameScript: 'This is the same text as the last one.',
    changedScript: 'Changed since the last one:',
    sameTool: 'The last one called the same tool, which says the same of itself.',
    changedTool: 'The last one called the same tool, which said something else of itself then.',
    otherTool: 'The last one called another tool.',
    sessions: 'Sessions that ran under it, newest first',
    noSessions: 'No session has run under it.',
    runNow: 'Run it now',
    session: 'The session',
    states: {
      PENDING: 'waits',
      APPROVED: 'approved',
      REJECTED: 'rejected',
      REVOKED: 'revoked',
      PROCESSING: 'runs',
      EXECUTED: 'done',
      EXPIRED: 'expired',
      UNKNOWN: 'outcome unknown',
    },
  },
  ...sessionTexts,
  ...partTexts,
  ...administrationTexts,
  ...auditTexts,
  ...operatorTexts,
} as const;
