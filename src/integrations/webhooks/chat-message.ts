import type {
  AccessRevokedData,
  DomainEventType,
  EventPerson,
  GatewayEvent,
  McpToolChangedData,
  ReviewDecidedData,
} from '../../platform/events/event';

/**
 * Functions that return the sentence for an event. Sentences contain names of people and connections, so they
 * must be sent as plain text.
 */
const sentences: {
  readonly [T in DomainEventType]: (data: Extract<GatewayEvent, { type: T }>['data']) => string;
} = {
  'review.requested': ({ requester, review_type, access_duration, connection, rules, reason }) => {
    const wish =
      review_type === 'jit'
        ? `open ${connection.name} for ${span(access_duration ?? 0)}`
        : `run a script on ${connection.name}`;
    return `${nameOf(requester)} asks to ${wish}. Approval is required by ${rules.map(({ name }) => name).join(', ')}.${reason ? ` Reason: ${reason}` : ''}`;
  },
  'review.decided': ({ requester, connection, status, decided_by, forced, emergency, force_reason }) => {
    const by = decided_by === null ? '' : ` by ${nameOf(decided_by)}`;
    if (emergency && forced)
      return `Emergency: ${nameOf(requester)} opened ${connection.name} without an approval. Reason: ${force_reason}`;
    // The approval may have been forced by another person than the last voter.
    const force = forced ? ' The approval was forced.' : '';
    const why = force_reason ? ` Reason: ${force_reason}` : '';
    return `The request of ${nameOf(requester)} for ${connection.name} ${decisions[status]}${by}.${force}${why}`;
  },
  'review.signed_off': ({ requester, connection, emergency, signed_off_by, comment }) =>
    `The ${emergency ? 'emergency of' : 'forced approval for'} ${nameOf(requester)} on ${connection.name} was signed off by ${nameOf(signed_off_by)}: ${comment}`,
  'session.started': ({ user, connection, verb }) =>
    `${nameOf(user)} opened a session on ${connection.name} (${verb}).`,
  'session.blocked': ({ user, connection, blocked, rules }) =>
    `Guardrails refused ${blocked} of the inputs and results of ${nameOf(user)} on ${connection.name}: ${rules.map(({ name }) => name).join(', ')}.`,
  'session.ended': ({ user, connection, exit_code }) =>
    `The session of ${nameOf(user)} on ${connection.name} ended with ${exit_code}.`,
  'access.revoked': ({ user, connection, reason, revoked_by }) => {
    const by = revoked_by === null ? '' : ` by ${nameOf(revoked_by)}`;
    return `The access of ${nameOf(user)} to ${connection.name} ${revocations[reason]}${by}.`;
  },
  'mcp.tool.changed': ({ connection, count, tools }) => {
    const named = tools.slice(0, 3).map(({ name, status }) => `${name} (${toolChanges[status]})`);
    const others = count - named.length;
    return `The MCP server of ${connection.name} lists other tools: ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
  },
};

const toolChanges: Readonly<Record<McpToolChangedData['tools'][number]['status'], string>> = {
  accepted: 'new, allowed by the policy',
  changed: 'changed, paused until an admin accepts it',
  held: 'new, held until an admin accepts it',
};

const decisions: Readonly<Record<ReviewDecidedData['status'], string>> = {
  APPROVED: 'was approved',
  REJECTED: 'was rejected',
  REVOKED: 'was revoked',
  EXPIRED: 'has expired',
};

const revocations: Readonly<Record<AccessRevokedData['reason'], string>> = {
  revoked: 'was revoked',
  expired: 'is over',
  owner_inactive: 'is suspended, because they are inactive',
  group_lost: 'is suspended, because they lost a group that it needs',
};

/** An event as a chat message. */
export interface ChatMessage {
  readonly text: string;
  /** URL of a page with more details, where people can also decide a review; undefined if there is none. */
  readonly link: string | undefined;
}

/** @param type type of the event, including `webhook.test`, which has no data. */
export function chatSentence(type: string, data: object): string {
  if (!Object.hasOwn(sentences, type)) return 'This is a test of the access gateway.';
  const sentence = sentences[type as DomainEventType] as (data: object) => string;
  return sentence(data);
}

/**
 * Returns the body for Slack ("Incoming webhooks"). Its rich text block has no markup, mentions or links
 * ("Blocks"). `text` is for notifications, and for other chats that accept Slack's messages but no blocks.
 * Slack and these chats interpret `text` as mrkdwn.
 */
export function slackBody({ text, link }: ChatMessage): string {
  const more = link === undefined ? [] : [{ type: 'link', url: link, text: 'More' }];
  const said = [{ type: 'text', text: link === undefined ? text : `${text} ` }, ...more];
  const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: said }] }];
  const plain = withoutMarkup(text);
  return JSON.stringify({
    text: link === undefined ? plain : `${plain} <${link}|More>`,
    blocks,
    unfurl_links: false,
    unfurl_media: false,
  });
}

const ZERO_WIDTH_SPACE = '\u200B';

/**
 * Makes a text look the same in mrkdwn and Markdown. The three characters that begin mentions and links are
 * escaped ("Formatting text"). Characters that start bold, code, emoji, mentions or automatic links are
 * separated from the text behind them.
 */
function withoutMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`:@#[\]()!|\\]|\.(?=\S)/g, `$&${ZERO_WIDTH_SPACE}`);
}

/** Body for a Teams flow that a webhook starts: an Adaptive Card with a TextRun, which has no markup. */
export function teamsBody({ text, link }: ChatMessage): string {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] }],
    ...(link === undefined ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'More', url: link }] }),
  };
  const card = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
  return JSON.stringify({ type: 'message', attachments: [card] });
}

function nameOf({ name, email, id }: EventPerson): string {
  return name || email || id;
}

function span(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}
