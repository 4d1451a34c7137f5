import type { Settings } from '../platform/config/settings';
import { PROGRAM_VERSION } from '../kernel/runtime/program-version';
import { META } from '../targets/mcp/protocol/methods';
import { NEWEST_MODERN } from '../targets/mcp/protocol/revisions';
import { DEMO_CONNECTION, DEMO_MCP_CONNECTION, DEMO_SERVER_CONNECTION } from './demo';
import type { DevelopmentUser } from './identity-provider/development-user';
import { COMMAND_LINE_CLIENT_ID } from './identity-provider/identity-provider';

/** Returns the first steps: lines to copy, each of which works without changes. */
export function welcomeText(settings: Settings, given: { demo: boolean; users: DevelopmentUser[] }): string {
  const api = `${settings.http.apiUrl}${settings.http.apiPrefix}`;
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const ready = `Access Gateway ${PROGRAM_VERSION} is ready, on Node.js ${process.versions.node}.`;
  const lines = ['', ready, ''];
  if (settings.portal.isOn) lines.push(`  Portal       ${settings.http.apiUrl}/`);
  lines.push(`  Swagger UI   ${api}/docs`);
  if (given.users.length > 0) {
    const names = given.users.map((user) => `${user.username} (${user.groups.join(', ')})`).join(', ');
    lines.push(`  Sign in as   ${names}; the password is the name`);
    lines.push(
      '',
      'Get a token, and list the catalog:',
      '',
      `  TOKEN=$(${tokenCall(settings, 'admin')} | ${field('access_token')})`,
    );
    lines.push(`  curl -s ${bearer} ${api}/mcp-catalog`);
  }
  if (given.users.length > 0 && given.demo) {
    const post = `curl -s ${bearer} -H 'Content-Type: application/json' -d`;
    const run = (script: string, connection = DEMO_CONNECTION): string =>
      `${post} '{"connection":"${connection}","script":"${script}"}' ${api}/sessions`;
    lines.push('', 'Run a script on the demo connection, and read its session:', '');
    lines.push(`  SESSION=$(${run('SELECT * FROM customers')} | ${field('session_id')})`);
    lines.push(`  curl -s ${bearer} "${api}/sessions/$SESSION?event_stream=utf8"`);
    if (settings.postgresProxy.port !== 0) {
      const issue = `${post} '{}' ${api}/connections/${DEMO_CONNECTION}/credentials`;
      lines.push('', 'Open the demo connection with psql, by credentials of your own:', '');
      lines.push(`  ADDRESS=$(${issue} | ${field('connection_string')})`, '  psql "$ADDRESS"');
    }
    lines.push('', 'See a guardrail hold:', '', `  ${run('DROP TABLE customers')}`);
    lines.push('', 'The same on a server: a script runs, and one is refused:', '');
    lines.push(`  ${run('ls /srv/app; cat /var/log/app.log', DEMO_SERVER_CONNECTION)}`);
    lines.push(`  ${run('rm -rf /srv', DEMO_SERVER_CONNECTION)}`);
    lines.push(...agentLines(settings, api, bearer));
  }
  return `${lines.join('\n')}\n`;
}

/** Returns shell commands with which an AI agent calls a tool, and a person approves the call. */
function agentLines(settings: Settings, api: string, bearer: string): string[] {
  const endpoint = `${api}/mcp/${DEMO_MCP_CONNECTION}`;
  const call = `mcp tools/call delete_customer '{"id":4}'`;
  const first = `sed -E 's/^[^[]*\\[\\{"id":"([^"]+)".*/\\1/'`;
  return [
    '',
    'Let an agent work. An IDE that gets this address signs in through the browser, as alice for example:',
    '',
    `  ${endpoint}`,
    '',
    'The same without an IDE. The call that deletes waits for a person; this agent gives up after 5 seconds:',
    '',
    `  AGENT=$(${tokenCall(settings, 'alice')} | ${field('access_token')})`,
    `  ${mcpFunction(endpoint)}`,
    '  mcp tools/list',
    `  ${call}`,
    '',
    'Approve it. The same call now runs, once:',
    '',
    `  REVIEW=$(curl -s ${bearer} "${api}/reviews?mine=to_decide" | ${first})`,
    `  curl -s -X PUT ${bearer} -H 'Content-Type: application/json' -d '{"status":"APPROVED"}' ${api}/reviews/$REVIEW`,
    `  ${call}`,
  ];
}

/** Returns a shell function that sends an MCP method; for a tool call, also with the tool and arguments. */
function mcpFunction(endpoint: string): string {
  const meta = JSON.stringify({ [META.protocolVersion]: NEWEST_MODERN, [META.clientCapabilities]: {} });
  const headers = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${NEWEST_MODERN}`,
    'Mcp-Method: $1',
    'Mcp-Name: ${2-}',
    'Authorization: Bearer $AGENT',
  ];
  const params = `'"\${2:+\\"name\\":\\"$2\\",\\"arguments\\":$3,}"'"_meta":${meta}`;
  const body = `'{"jsonrpc":"2.0","id":1,"method":"'"$1"'","params":{${params}}}'`;
  const sent = headers.map((header) => `-H "${header}"`).join(' ');
  return `mcp() { curl -s -m 5 ${sent} -d ${body} ${endpoint}; }`;
}

function tokenCall(settings: Settings, username: string): string {
  return `curl -s ${settings.identityProvider.issuer}/token -d grant_type=password -d client_id=${COMMAND_LINE_CLIENT_ID} -d username=${username} -d password=${username}`;
}

function field(name: string): string {
  return `sed -E 's/.*"${name}":"([^"]+)".*/\\1/'`;
}
