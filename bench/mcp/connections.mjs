// Connections of the gateway to the MCP server of the bench.

/** A connection whose calls are judged in both directions. @returns its address for MCP clients */
export async function connect({ origin, call }, era, url) {
  const name = `bench-${era}`;
  const id = await created(call, name, url);
  const words = (word) => ({
    rules: [{ type: 'deny_words_list', words: [word, `${word} too`], pattern_regex: '' }],
  });
  const guardrail = {
    name,
    connection_ids: [id],
    input: words('drop everything'),
    output: words('secret'),
  };
  await call('POST', '/guardrails', guardrail);
  return `${origin}/api/mcp/${name}`;
}

/** A connection without rules. @returns its address for MCP clients */
export async function connectPlain({ origin, call }, era, url) {
  await created(call, `bench-plain-${era}`, url);
  return `${origin}/api/mcp/bench-plain-${era}`;
}

/** A connection whose calls wait for an approval. @returns its address for MCP clients */
export async function connectHeld({ origin, call }, url) {
  await created(call, 'bench-held', url, { mcp_policy: { tools: { approval: ['echo'] } } });
  return `${origin}/api/mcp/bench-held`;
}

async function created(call, name, url, more = {}) {
  const connection = {
    name,
    type: 'application',
    subtype: 'mcpproxy',
    access_groups: ['*'],
    secret: { REMOTE_URL: url },
    ...more,
  };
  return JSON.parse(await call('POST', '/connections', connection)).id;
}
