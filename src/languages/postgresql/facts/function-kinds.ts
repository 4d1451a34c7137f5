import type { StatementKind } from './statement-kinds';

interface KindsOfName {
  readonly name: RegExp;
  readonly kinds: readonly StatementKind[];
  /** Set if `x.f` cannot call the functions, because they need several arguments or are triggers. */
  readonly neverColumn?: true;
}

/**
 * PostgreSQL's own functions that have the effect of a statement. Large objects are created, written and
 * dropped only by functions.
 */
const BUILT_IN: readonly KindsOfName[] = [
  { name: /^(current_setting|pg_show_all_(file_)?settings)$/, kinds: ['show'] },
  { name: /^pg_notify$/, kinds: ['notify'], neverColumn: true },
  { name: /^pg_(try_)?advisory_(xact_)?lock(_shared)?$/, kinds: ['lock'] },
  // `setval` has the effect of ALTER SEQUENCE … RESTART.
  { name: /^setval$/, kinds: ['alter'], neverColumn: true },
  { name: /^lo_(creat|create)$/, kinds: ['create'] },
  { name: /^lo_from_bytea$/, kinds: ['create', 'insert'], neverColumn: true },
  { name: /^lo_import$/, kinds: ['create', 'insert', 'copy_file'] },
  { name: /^lo_export$/, kinds: ['copy_file'], neverColumn: true },
  { name: /^(lo_put|lowrite)$/, kinds: ['insert', 'update'], neverColumn: true },
  { name: /^lo_truncate(64)?$/, kinds: ['update', 'truncate'], neverColumn: true },
  { name: /^lo_unlink$/, kinds: ['delete', 'drop'] },
  { name: /^pg_read_(binary_)?file(_all|_off_len)?$/, kinds: ['copy_file'] },
  { name: /^pg_file_(write|rename|unlink|sync)$/, kinds: ['copy_file'] },
  { name: /^pg_import_system_collations$/, kinds: ['create'] },
  { name: /^pg_(create|copy)_(logical|physical)_replication_slot$/, kinds: ['create'] },
  { name: /^pg_replication_origin_create$/, kinds: ['create'] },
  { name: /^pg_replication_slot_advance$/, kinds: ['alter'] },
  { name: /^pg_(drop_replication_slot|replication_origin_drop)$/, kinds: ['drop'] },
  { name: /^pg_(restore|clear)_(relation|attribute)_stats$/, kinds: ['analyze'] },
  {
    name: /^pg_(terminate|cancel)_backend$|^pg_log_backend_memory_contexts$|^pg_get_process_memory_contexts$/,
    kinds: ['other_sessions'],
  },
  {
    name: /^pg_stat_get_(activity|backend_\w+|progress_info|wal_senders)$|^pg_(lock_status|prepared_xact)$|^pg_(safe_snapshot_)?blocking_pids$/,
    kinds: ['other_sessions'],
  },
  { name: /^(brin_(summarize_new_values|(de)?summarize_range)|gin_clean_pending_list)$/, kinds: ['vacuum'] },
];

/** Functions that are recognized in any schema, with the kinds of their effects. Most are from extensions. */
const OF_EXTENSIONS: readonly KindsOfName[] = [
  { name: /^set_config$/, kinds: ['set'], neverColumn: true },
  { name: /^triggered_change_notification$/, kinds: ['notify'], neverColumn: true },
  { name: /^lo_manage$/, kinds: ['delete', 'drop'], neverColumn: true },
  {
    name: /^pg_stat_(statements|monitor)(_\w+)?$|^pg_show_plans$|^pg_wait_sampling_\w+$/,
    kinds: ['other_sessions'],
  },
  { name: /^pg_truncate_visibility_map$/, kinds: ['vacuum'] },
];

function kindsIn(
  lists: readonly (readonly KindsOfName[])[],
  name: string,
  asColumn: boolean,
): StatementKind[] {
  const plain = name.toLowerCase();
  return lists
    .flat()
    .filter((entry) => entry.name.test(plain) && !(asColumn && entry.neverColumn === true))
    .flatMap(({ kinds }) => kinds);
}

/** Returns the kinds of statements whose effect a function has, for any arguments. */
export function kindsOfFunction(schema: string | undefined, name: string): readonly StatementKind[] {
  const isBuiltIn = schema === undefined || schema.toLowerCase() === 'pg_catalog';
  return kindsIn(isBuiltIn ? [BUILT_IN, OF_EXTENSIONS] : [OF_EXTENSIONS], name, false);
}

/** Like `kindsOfFunction`, but for a column `x.name` that PostgreSQL may read as the call `name(x)`. */
export function kindsOfColumn(name: string): readonly StatementKind[] {
  return kindsIn([BUILT_IN, OF_EXTENSIONS], name, true);
}
