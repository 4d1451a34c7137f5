/**
 * Words of statements that can change the client's encoding: SET, set_config, and what runs a text of its own. After
 * such a one, bytes beyond ASCII may mean something else to the server than to whoever judges them; ASCII means the
 * same in every encoding of PostgreSQL. Not seen: a function of the target that does so.
 */
const RISKY =
  /encoding|names|set_config|pg_settings|_to_xml|ts_stat|ts_rewrite|\bdo\b|\bcall\b|\bexecute\b|discard|reset|u&|\brollback\b|\babort\b/i;

export function mayChangeEncoding(statement: string): boolean {
  return RISKY.test(statement);
}
