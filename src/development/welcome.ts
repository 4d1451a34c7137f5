import type { Settings } from '../config/settings';
import { API_VERSION } from '../http/api-version';
import { DEMO_CONNECTION } from './demo';
import type { DevelopmentUser } from './identity-provider/development-user';
import { COMMAND_LINE_CLIENT_ID } from './identity-provider/identity-provider';

/** First steps: lines to copy, each of which works without changes. */
export function welcomeText(settings: Settings, given: { demo: boolean; users: DevelopmentUser[] }): string {
  const api = `${settings.http.apiUrl}${settings.http.apiPrefix}`;
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const lines = ['', `Access Gateway ${API_VERSION} is ready.`, '', `  Swagger UI   ${api}/docs`];
  if (given.users.length > 0) {
    const names = given.users.map((user) => `${user.username} (${user.groups.join(', ')})`).join(', ');
    lines.push(`  Sign in as   ${names}; the password is the name`);
    lines.push(
      '',
      'Get a token, and list the catalog:',
      '',
      `  TOKEN=$(${tokenCall(settings)} | ${field('access_token')})`,
    );
    lines.push(`  curl -s ${bearer} ${api}/mcp-catalog`);
  }
  if (given.users.length > 0 && given.demo) {
    const post = `curl -s ${bearer} -H 'Content-Type: application/json' -d`;
    const run = (script: string): string =>
      `${post} '{"connection":"${DEMO_CONNECTION}","script":"${script}"}' ${api}/sessions`;
    lines.push('', 'Run a script on the demo connection, and read its session:', '');
    lines.push(`  SESSION=$(${run('SELECT * FROM customers')} | ${field('session_id')})`);
    lines.push(`  curl -s ${bearer} "${api}/sessions/$SESSION?event_stream=utf8"`);
    if (settings.postgresProxy.port !== 0) {
      const issue = `${post} '{}' ${api}/connections/${DEMO_CONNECTION}/credentials`;
      lines.push('', 'Open the demo connection with psql, by credentials of your own:', '');
      lines.push(`  ADDRESS=$(${issue} | ${field('connection_string')})`, '  psql "$ADDRESS"');
    }
    lines.push('', 'See a guardrail hold:', '', `  ${run('DROP TABLE customers')}`);
  }
  return `${lines.join('\n')}\n`;
}

function tokenCall(settings: Settings): string {
  return `curl -s ${settings.identityProvider.issuer}/token -d grant_type=password -d client_id=${COMMAND_LINE_CLIENT_ID} -d username=admin -d password=admin`;
}

function field(name: string): string {
  return `sed -E 's/.*"${name}":"([^"]+)".*/\\1/'`;
}
