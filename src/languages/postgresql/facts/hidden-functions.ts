import { constantText, isNode, listOf, type TreeNode } from '../parsing/parse-tree';
import { settingHides, UNKNOWN_SETTING } from './hidden-settings';
import { roleKinds, type StatementKind } from './statement-kinds';

interface Suspect {
  readonly name: RegExp;
  /** Set for names that are ordinary words: they match only in this schema, or if no schema is given. */
  readonly schema?: string;
  /**
   * Matches the functions that accept one argument (counting defaults and VARIADIC), so that `x.f` can call
   * them. Default: `name`. `word` is set if the names are also common names of columns.
   */
  readonly asColumn?: RegExp;
  readonly word?: true;
}

const NEVER = /$^/;

/**
 * Functions that execute SQL given as text. They come from PostgreSQL 18, its contrib modules, widespread
 * extensions and common helpers.
 */
const RUNS_TEXT: readonly Suspect[] = [
  { name: /^(query|cursor)_to_xml/, asColumn: NEVER },
  { name: /^ts_stat$/ },
  {
    name: /^dblink/,
    asColumn:
      /^dblink(_(exec|connect|connect_u|disconnect|close|get_pkey|is_busy|get_result|cancel_query|error_message|get_notify))?$/,
  },
  { name: /^crosstab/, asColumn: /^crosstab\d*(hash)?$/ },
  { name: /^pg_background_launch/ },
  { name: /^run_command_on_|^(master|citus)_run_|^worker_(apply_|execute_|append_table|partition_query)/ },
  { name: /^(create|broadcast)_intermediate_result$/, asColumn: NEVER },
  { name: /(^|_)replicate_ddl(_command)?$|^bdr_run_on_all_nodes$|^run_on_all_nodes$/ },
  { name: /^oracle_execute$|^cypher$|^repack_apply$/ },
  { name: /^query_export_to_s3$|^table_import_from_s3$/, asColumn: NEVER },
  // The functions of pgRouting accept the query for the edges as text.
  { name: /^_?pgr_/ },
  { name: /^(exec|execute|eval)$|^(exec|execute|run)_(sql|query|immediate)$|^sql_exec$/, word: true },
  // The assertions of pgTAP accept the statement under test as text.
  {
    name: /^(lives_ok|throws_\w+|performs_\w+|results_(eq|ne)|(set|bag)_(eq|ne|has|hasnt)|isnt_empty|row_eq|do_tap|runtests)$/,
    word: true,
  },
  { name: /^(schedule|schedule_in_database|alter_job)$/, schema: 'cron', asColumn: NEVER },
  { name: /^(parse|execute)$/, schema: 'dbms_sql', asColumn: NEVER },
  { name: /^resolve$/, schema: 'graphql', word: true },
];

/** Functions that accept names of relations as text, so that the relations do not appear in the tree. */
const NAMES_BY_TEXT: readonly Suspect[] = [
  { name: /^(table|schema|database)_to_xml/, asColumn: NEVER },
  { name: /^connectby|^xpath_table$|^check_(primary|foreign)_key$|^autoinc$/, asColumn: NEVER },
  { name: /^get_raw_page$|^heap_force_(kill|freeze)$|^pg_logical_slot_(get|peek)_/, asColumn: NEVER },
  { name: /^bt_(page_items|page_stats|multi_page_stats)$/, asColumn: NEVER },
  { name: /^pgrowlocks$|^pg_get_wal_(record|records|block)_info$/ },
  { name: /^pg_(restore|clear)_(relation|attribute)_stats$/ },
  {
    name: /^dropgeometry(table|column)$|^addgeometrycolumn$|^updategeometrysrid$|^populate_geometry_columns$/,
  },
  { name: /^(st_)?findextent$|^find_extent$|^(add|drop)(raster|overview)constraints$|^lockrow$|^checkauth$/ },
  { name: /^(create|drop)topology$|^(add|drop)topogeometrycolumn$/ },
  { name: /^drop_chunks$|^undo_partition$|^drop_partition_(time|id)$|^undistribute_table$/ },
];

const RUNS = 'calls a function that runs SQL given as text';
const NAMES = 'calls a function that works on tables named by text';

/** Schemas of the functions in `RUNS_TEXT` whose names are ordinary words. */
const TELLING_SCHEMAS = new Set(RUNS_TEXT.flatMap(({ schema }) => schema ?? []));

/** Whether `RUNS_TEXT` depends on the schema's name. Renaming such a schema would hide its functions. */
export function isTellingSchema(schema: string): boolean {
  return TELLING_SCHEMAS.has(schema.toLowerCase());
}

function suspected(list: readonly Suspect[], schema: string | undefined, name: string): boolean {
  return list.some(
    (suspect) => (schema === undefined || (suspect.schema ?? schema) === schema) && suspect.name.test(name),
  );
}

/** A call to check: the FuncCall node, and the collected facts of its statement. */
interface Call {
  readonly node: TreeNode;
  readonly facts: { dependsOnConstants: boolean; addKinds(kinds: readonly StatementKind[]): void };
  /** All values that the first argument can have because another clause limits it; undefined if unknown. */
  readonly values: readonly string[] | undefined;
}

/** Handles `set_config(name, value, …)`, which has the effect of SET. Named arguments are not resolved. */
function setConfigHides(call: Call | undefined): string | undefined {
  if (call === undefined) return UNKNOWN_SETTING;
  const { node, facts, values } = call;
  const args = listOf(node['args']);
  if (args.some((arg) => isNode(arg) && isNode(arg['NamedArgExpr']))) return UNKNOWN_SETTING;
  const setting = constantText(args[0], facts);
  const settings = setting === undefined ? values : [setting];
  if (settings === undefined) return UNKNOWN_SETTING;
  facts.addKinds(settings.flatMap(roleKinds));
  const value = constantText(args[1], facts);
  return settings.map((name) => settingHides(name, value)).find((reason) => reason !== undefined);
}

/**
 * Returns why a function hides an effect, whether it is called here or passed by name to be called later;
 * undefined if it does not. `call` is undefined if the arguments are unknown.
 */
export function functionHides(schema: string | undefined, name: string, call?: Call): string | undefined {
  const [plainSchema, plainName] = [schema?.toLowerCase(), name.toLowerCase()];
  if (plainName === 'set_config') return setConfigHides(call);
  // ts_rewrite(query, text) executes the text; with three arguments it only computes.
  if (plainName === 'ts_rewrite' && listOf(call?.node['args']).length === 3) return undefined;
  if (plainName === 'ts_rewrite' || suspected(RUNS_TEXT, plainSchema, plainName)) return RUNS;
  return suspected(NAMES_BY_TEXT, plainSchema, plainName) ? NAMES : undefined;
}

/** A dotted name `x.name` that may hide an effect, because PostgreSQL may read it as `name(x)`. */
export interface HiddenColumn {
  readonly reason: string;
  /** Whether the name is also a common name of columns. */
  readonly isWord: boolean;
}

/** Returns why `x.name` may hide an effect. A call in this form has one argument and no schema. */
export function columnHides(name: string): HiddenColumn | undefined {
  const plain = name.toLowerCase();
  for (const [list, reason] of [
    [RUNS_TEXT, RUNS],
    [NAMES_BY_TEXT, NAMES],
  ] as const) {
    const found = list.filter(
      (suspect) => suspect.name.test(plain) && (suspect.asColumn ?? suspect.name).test(plain),
    );
    if (found.length > 0) return { reason, isWord: found.every(({ word }) => word === true) };
  }
  return undefined;
}
