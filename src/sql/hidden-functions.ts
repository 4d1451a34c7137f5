import { constantText, isNode, listOf, type TreeNode } from './parse-tree';
import { settingHides, UNKNOWN_SETTING } from './hidden-settings';

interface Suspect {
  readonly name: RegExp;
  /** Where the name by itself is an ordinary word: only in this schema, or with no schema written. */
  readonly schema?: string;
}

/** What runs SQL it is given as a text: PostgreSQL 18, its contrib modules, widespread extensions, common helpers. */
const RUNS_TEXT: readonly Suspect[] = [
  { name: /^(query|cursor)_to_xml|^ts_stat$|^dblink|^crosstab|^pg_background_launch/ },
  { name: /^run_command_on_|^master_run_on_worker|^replicate_ddl_command$|^oracle_execute$|^cypher$/ },
  { name: /^query_export_to_s3$|^table_import_from_s3$/ },
  { name: /^(exec|execute|eval)$|^(exec|execute|run)_(sql|query|immediate)$|^sql_exec$/ },
  // pgTAP's assertions take the statement under test as a text.
  { name: /^(lives_ok|throws_\w+|performs_\w+|results_(eq|ne)|(set|bag)_(eq|ne|has|hasnt))$/ },
  { name: /^(schedule|schedule_in_database|alter_job)$/, schema: 'cron' },
  { name: /^(parse|execute)$/, schema: 'dbms_sql' },
  { name: /^resolve$/, schema: 'graphql' },
];

/** What works on relations it is given by name: they appear nowhere in the tree. */
const NAMES_BY_TEXT: readonly Suspect[] = [
  { name: /^(table|schema|database)_to_xml|^connectby|^xpath_table$|^check_(primary|foreign)_key$/ },
  { name: /^get_raw_page$|^heap_force_(kill|freeze)$|^pgrowlocks$|^pg_logical_slot_(get|peek)_/ },
  { name: /^dropgeometry(table|column)$|^addgeometrycolumn$|^updategeometrysrid$/ },
  { name: /^drop_chunks$|^undo_partition$|^drop_partition_(time|id)$|^undistribute_table$/ },
];

function suspected(list: readonly Suspect[], schema: string | undefined, name: string): boolean {
  return list.some(
    (suspect) => (schema === undefined || (suspect.schema ?? schema) === schema) && suspect.name.test(name),
  );
}

/** `set_config(name, value, …)` does what SET does; with named arguments their order is not worth telling. */
function setConfigHides(call: TreeNode | undefined): string | undefined {
  const args = listOf(call?.['args']);
  if (args.some((arg) => isNode(arg) && isNode(arg['NamedArgExpr']))) return UNKNOWN_SETTING;
  const setting = constantText(args[0]);
  return setting === undefined ? UNKNOWN_SETTING : settingHides(setting, constantText(args[1]));
}

/**
 * Why a call of this function, or handing it to something that will call it, hides an effect; undefined when it
 * does not. `call` is the FuncCall node, undefined where the arguments are not known.
 */
export function functionHides(schema: string | undefined, name: string, call?: TreeNode): string | undefined {
  const [plainSchema, plainName] = [schema?.toLowerCase(), name.toLowerCase()];
  if (plainName === 'set_config') return setConfigHides(call);
  // ts_rewrite(query, text) runs the text; with three arguments it only computes.
  if (plainName === 'ts_rewrite' && listOf(call?.['args']).length === 3) return undefined;
  if (plainName === 'ts_rewrite' || suspected(RUNS_TEXT, plainSchema, plainName)) {
    return 'calls a function that runs SQL given as text';
  }
  if (suspected(NAMES_BY_TEXT, plainSchema, plainName)) {
    return 'calls a function that works on tables named by text';
  }
  return undefined;
}
