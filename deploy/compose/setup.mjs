// Creates the connections `orders` and `tools` of deploy/compose.yaml, as
// admin. Running it again changes nothing.
const {
  ISSUER = 'http://localhost:8010/realms/demo',
  CLIENT_SECRET = 'demo',
  SCOPE = 'openid email profile',
  API = 'http://localhost:8009/api',
  TOOLS_URL = 'http://tools:3001/mcp',
} = process.env;

const { token_endpoint } = await json(await fetch(`${ISSUER}/.well-known/openid-configuration`));
const { access_token } = await json(
  await fetch(token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'access-gateway',
      client_secret: CLIENT_SECRET,
      username: 'admin',
      password: 'admin',
      scope: SCOPE,
    }),
  }),
);

const CONNECTIONS = [
  {
    name: 'orders',
    type: 'database',
    subtype: 'postgres',
    secret: { HOST: 'target', PORT: '5432', USER: 'app', PASS: 'app', DB: 'orders', SSLMODE: 'disable' },
  },
  { name: 'tools', type: 'application', subtype: 'mcpproxy', secret: { REMOTE_URL: TOOLS_URL } },
];

for (const connection of CONNECTIONS) {
  const answer = await fetch(`${API}/connections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...connection, access_groups: ['*'] }),
  });
  if (answer.status !== 409) await json(answer);
  console.log(`connection ${connection.name} is there`);
}
console.log(`psql, scripts and the portal: http://localhost:8009/ - MCP clients: ${API}/mcp/tools`);

async function json(answer) {
  if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
