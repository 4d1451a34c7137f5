import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../eventually';
import type { TestGateway } from '../gateway';

/** Tables with the state of people and programs. All other tables are derived from these tables later. */
const KEPT =
  `access_request_rules api_keys attributes audit_log authorization_clients authorizations authorization_tokens
  connection_credentials connections download_links granted_session_groups granted_sessions groups guardrail_connections
  guardrail_rules mcp_tools name_changes organizations portal_sessions retention_runs review_groups review_votes reviews
  session_calls session_removals sessions upstream_clients upstream_sign_ins upstream_tokens user_groups users webhooks`.split(
    /\s+/,
  );

/**
 * SQL conditions on rows that gateways add by schedule, not by a request. `keptState` ignores these rows. The
 * first scheduled run of the retention begins a minute after the start of a gateway.
 */
const BY_SCHEDULE: Readonly<Record<string, string>> = { retention_runs: 'started_by IS NULL' };

/** A hash of each table by its name. */
export type KeptState = Readonly<Record<string, string>>;

export async function keptState({ database }: TestGateway): Promise<KeptState> {
  // Leaves out the column `seal`, because a session is sealed only some time after its end.
  const parts = KEPT.map(
    (table) =>
      `SELECT '${table}' AS name, md5(string_agg(row, ',' ORDER BY row)) AS hash
       FROM (SELECT (to_jsonb(t) - 'seal' - 'journaled')::text AS row FROM ${table} t
         WHERE NOT (${BY_SCHEDULE[table] ?? 'false'})) rows`,
  );
  const tables = await database.query<{ name: string; hash: string }>(parts.join(' UNION ALL '));
  return Object.fromEntries(tables.map(({ name, hash }) => [name, hash]));
}

/** Sessions with a stop reason that their gateway has not ended yet. */
const ENDING = "SELECT id FROM sessions WHERE stop_reason IS NOT NULL AND status <> 'done'";

/** Waits until no session is about to end, and two reads of the state 100 ms apart are equal. Returns it. */
export function settledState(gateway: TestGateway): Promise<KeptState> {
  return eventually('the settled state', async () => {
    if ((await gateway.database.query(ENDING)).length > 0) return false;
    const before = await keptState(gateway);
    await delay(100);
    return isDeepStrictEqual(await keptState(gateway), before) && before;
  });
}
