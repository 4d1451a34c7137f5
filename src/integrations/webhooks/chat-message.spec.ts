import { EVENT_TYPES } from '../../platform/events/event';
import { chatSentence, slackBody, teamsBody } from './chat-message';

const alice = { id: 'alice', email: 'alice@example.com', name: 'Alice', identity_type: 'user' };
const bob = { id: 'bob', email: 'bob@example.com', name: '', identity_type: 'user' };
const connection = { id: 'c', name: 'orders', subtype: 'postgres' };
const rules = [{ id: 'r1', name: 'four-eyes' }];
const request = { requester: alice, connection, rules };

describe('what a chat is told', () => {
  it.each([
    [
      'review.requested',
      { ...request, review_type: 'onetime', access_duration: null },
      'Alice asks to run a script on orders. Approval is required by four-eyes.',
    ],
    [
      'review.requested',
      { ...request, review_type: 'onetime', access_duration: null, reason: 'OPS-12' },
      'Alice asks to run a script on orders. Approval is required by four-eyes. Reason: OPS-12',
    ],
    [
      'review.requested',
      { ...request, review_type: 'jit', access_duration: 5_400 },
      'Alice asks to open orders for 90 min. Approval is required by four-eyes.',
    ],
    [
      'review.decided',
      { ...request, status: 'APPROVED', decided_by: bob, forced: true, force_reason: 'The site is down.' },
      'The request of Alice for orders was approved by bob@example.com. The approval was forced. Reason: The site is down.',
    ],
    [
      'review.decided',
      {
        ...request,
        status: 'APPROVED',
        decided_by: bob,
        forced: true,
        emergency: true,
        force_reason: 'down',
      },
      'Emergency: Alice opened orders without an approval. Reason: down',
    ],
    [
      'review.signed_off',
      { ...request, emergency: true, signed_off_by: bob, comment: 'correct' },
      'The emergency of Alice on orders was signed off by bob@example.com: correct',
    ],
    [
      'review.signed_off',
      { ...request, signed_off_by: bob, comment: 'correct' },
      'The forced approval for Alice on orders was signed off by bob@example.com: correct',
    ],
    [
      'review.decided',
      { ...request, status: 'EXPIRED', decided_by: null, forced: false },
      'The request of Alice for orders has expired.',
    ],
    [
      'session.started',
      { user: alice, connection, verb: 'exec' },
      'Alice opened a session on orders (exec).',
    ],
    [
      'session.blocked',
      { user: alice, connection, blocked: 2, rules: [{ id: 'g', name: 'no drop', direction: 'input' }] },
      'Guardrails refused 2 of the inputs and results of Alice on orders: no drop.',
    ],
    [
      'session.ended',
      { user: alice, connection, exit_code: 254 },
      'The session of Alice on orders ended with 254.',
    ],
    [
      'access.revoked',
      { user: alice, connection, reason: 'revoked', revoked_by: bob },
      'The access of Alice to orders was revoked by bob@example.com.',
    ],
    [
      'access.revoked',
      { user: alice, connection, reason: 'expired', revoked_by: null },
      'The access of Alice to orders is over.',
    ],
    [
      'access.revoked',
      { user: alice, connection, reason: 'owner_inactive', revoked_by: null },
      'The access of Alice to orders is suspended, because they are inactive.',
    ],
    [
      'access.revoked',
      { user: alice, connection, reason: 'group_lost', revoked_by: null },
      'The access of Alice to orders is suspended, because they lost a group that it needs.',
    ],
    [
      'mcp.tool.changed',
      {
        connection,
        count: 5,
        tools: [
          { name: 'a', status: 'changed' },
          { name: 'b', status: 'held' },
          { name: 'c', status: 'accepted' },
          { name: 'd', status: 'held' },
        ],
      },
      'The MCP server of orders lists other tools: a (changed, paused until an admin accepts it), b (new, held until an admin accepts it), c (new, allowed by the policy) and 2 more.',
    ],
    ['webhook.test', {}, 'This is a test of the access gateway.'],
  ])('of %s %#', (type, data, text) => {
    expect(chatSentence(type, data)).toBe(text);
  });

  it('has a sentence for every event', () => {
    const decided = {
      status: 'APPROVED',
      decided_by: null,
      revoked_by: null,
      signed_off_by: bob,
      comment: 'seen',
    };
    const data = { ...request, user: alice, ...decided };
    const tools = [{ name: 'search', status: 'changed', fingerprint: 'f' }];
    for (const type of EVENT_TYPES) {
      const sentence = chatSentence(type, { ...data, count: 1, tools });
      expect(sentence).toContain(type === 'mcp.tool.changed' ? 'search' : 'Alice');
      expect(sentence).toContain('orders');
    }
  });

  it('is text, whatever somebody calls themselves', () => {
    const mallory = {
      ...alice,
      name: '<!channel> [free](https://evil.example) & <https://evil.example|more>',
    };
    const text = chatSentence('session.started', { user: mallory, connection, verb: 'exec' });
    const link = 'https://gw/api/sessions/1';
    const { blocks, ...rest } = JSON.parse(slackBody({ text, link }));
    expect(blocks).toEqual([
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: `${text} ` },
              { type: 'link', url: link, text: 'More' },
            ],
          },
        ],
      },
    ]);
    expect(rest).toMatchObject({ unfurl_links: false, unfurl_media: false });
    const [{ content }] = JSON.parse(teamsBody({ text, link: undefined })).attachments;
    expect(content.body).toEqual([{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] }]);
    expect(content.actions).toBeUndefined();
  });

  it.each([
    '*bold*',
    '_italic_ ~gone~ `code`',
    'see https://evil.example/a',
    'www.evil.example or evil.example',
    '[free](https://evil.example)',
    '<!channel> <https://evil.example|more> &lt;',
    '@here #general :tada: ![x](//evil.example)',
  ])('looks as it is where %s is all that Slack shows of it, and is no markup there', (name) => {
    const text = chatSentence('session.started', { user: { ...alice, name }, connection, verb: 'exec' });
    const shown: string = JSON.parse(slackBody({ text, link: undefined })).text;
    const seen = shown
      .replaceAll('\u200B', '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    expect(seen).toBe(text);
    expect(shown).not.toMatch(/[<>]|[*_~`@#:[(][^\s\u200B]|\][^\u200B]|:\/\/|\.[a-z]/);
  });
});
