// The compared routes to the same target. Each has a URL and, except the direct one, the process between
// client and target.
import { once } from 'node:events';
import { startPart } from '../kit/processes.mjs';
import { startHoopInspect } from './hoop-inspect.mjs';
import { startPgBouncer } from './pgbouncer.mjs';

/** The columns of `npm run bench -- postgres`. `npm run bench -- peers` has `hoop_inspect`, too. */
export const COLUMNS = ['direct', 'pgbouncer', 'pump', 'unguarded', 'guarded'];
export const GATEWAY_COLUMNS = ['unguarded', 'guarded'];

/** Maximum duration of access that can be requested, because a soak lasts longer than an hour. */
const SECONDS_OF_ACCESS = 172_800;

/** Typical rules with which a team would begin to protect its production database. */
const INPUT_RULES = [
  { type: 'sql_statement', kinds: ['drop', 'truncate'], without_where: true },
  { type: 'deny_words_list', words: ['pg_sleep', 'pg_read_file', 'pg_shadow', 'lo_import', 'dblink'] },
  { type: 'pattern_match', pattern_regex: '(?i)\\bcopy\\b[^;]*\\bprogram\\b' },
];
const OUTPUT_RULES = [
  { type: 'detector', detectors: ['email', 'payment_card'], action: 'mask', keep_last: 4 },
];
/** Output rules that block. In the benches, only the texts with e-mail addresses match them. */
const BLOCKING_RULES = [
  { type: 'detector', detectors: ['email', 'payment_card'] },
  { type: 'deny_words_list', words: ['top secret', 'пароль'] },
  { type: 'pattern_match', pattern_regex: 'tok(en|yo)=\\w+' },
];

/** Opens the named columns (routes to the target), except those whose program is not installed. */
export async function openColumns(names, { target, gateway }) {
  const columns = [];
  const open = {
    direct: () => ({ url: target }),
    pgbouncer: () => startPgBouncer(target),
    hoop_inspect: () => startHoopInspect(process.env.BENCH_PEER, target),
    pump: () => startPump(target),
    unguarded: () => throughGateway(gateway, target, 'unguarded'),
    recorded: () => throughGateway(gateway, target, 'recorded', undefined, { record_results: true }),
    guarded: () => throughGateway(gateway, target, 'guarded', { input: INPUT_RULES, output: OUTPUT_RULES }),
    blocking: () =>
      throughGateway(gateway, target, 'blocking', { input: INPUT_RULES, output: BLOCKING_RULES }),
  };
  for (const name of names) {
    const column = await open[name]();
    if (column === undefined) console.log(`${name}: skipped, the program is not installed here`);
    else columns.push({ name, ...column });
  }
  return columns;
}

/** Returns the route `guarded` with an API key as the password, instead of an issued credential. */
export async function withApiKey(gateway, guarded) {
  const { key } = JSON.parse(await gateway.call('POST', '/api-keys', { name: 'bench', groups: ['admin'] }));
  const url = new URL(guarded.url);
  url.username = 'machine';
  url.password = key;
  url.pathname = '/guarded';
  return { name: 'api_key', url: url.href, pid: guarded.pid };
}

/** Returns the URL of a connection through the gateway to a target that admits every client. */
export async function toGreeter(gateway, port) {
  const { url } = await throughGateway(gateway, `postgres://any:any@127.0.0.1:${port}/any`, 'greeter');
  return url;
}

async function startPump(target) {
  const url = new URL(target);
  const child = startPart('postgres/pump.mjs', [url.port, url.hostname]);
  const [port] = await once(child, 'message');
  url.port = String(port);
  return { url: url.href, pid: child.pid };
}

/** Creates a connection, which is recorded as usual, and a credential for it. */
async function throughGateway(gateway, target, name, rules, settings = {}) {
  const { hostname, port, username, password } = new URL(target);
  const secret = {
    HOST: hostname,
    PORT: port,
    USER: username,
    PASS: password,
    DB: 'target',
    SSLMODE: 'disable',
  };
  const body = { name, type: 'database', subtype: 'postgres', secret, ...settings };
  const { id } = JSON.parse(await gateway.call('POST', '/connections', body));
  if (rules !== undefined) {
    await gateway.call('POST', '/guardrails', {
      name,
      input: { rules: rules.input.map(entry) },
      output: { rules: rules.output.map(entry) },
      connection_ids: [id],
    });
  }
  const issued = JSON.parse(
    await gateway.call('POST', `/connections/${name}/credentials`, {
      access_duration_seconds: SECONDS_OF_ACCESS,
    }),
  );
  // Does not use `hostname` of the credential, because each client would resolve the name, perhaps to an
  // address without a listener.
  const url = new URL('postgres://127.0.0.1?sslmode=disable');
  const credentials = issued.connection_credentials;
  url.port = String(credentials.port);
  url.username = credentials.username;
  url.password = credentials.password;
  url.pathname = `/${credentials.database_name}`;
  return { url: url.href, pid: gateway.pid };
}

function entry(rule) {
  return { words: [], pattern_regex: '', ...rule };
}
