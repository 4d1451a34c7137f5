import { Injectable } from '@nestjs/common';
import { limitError } from '../../gate/refusal';
import { Gate } from '../../gate/gate';
import type { Target } from '../../gate/ports/target-directory';
import type { Session } from '../../gate/session';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { targetKind } from '../../targets/kinds';
import type { ListedTable, TableLister, WantedTables } from '../../targets/contract/table-lister';
import { ScriptExecutions } from './script-executions';
import { ScriptLimits, ScriptPlace } from './script-limits';
import type { ScriptResult } from './script-results';
import type { SchemaTablesView, TablesView } from './tables.dto';

/**
 * Maximum time in milliseconds for running the script. It is short, because people wait for the answer while
 * they type.
 */
const LIST_WITHIN_MS = 10_000;

/**
 * Metadata that marks the sessions that list tables, so that nobody thinks that a person wrote their script.
 */
const METADATA = { operation: 'listTables' } as const;

/**
 * Lists the tables of a target. It runs a script as the caller could: through the gate, and within the limits
 * of scripts. The list is not cached, because another person may see other tables, or none.
 */
@Injectable()
export class TablesService {
  constructor(
    private readonly gate: Gate,
    private readonly limits: ScriptLimits,
    private readonly executions: ScriptExecutions,
  ) {}

  /**
   * @throws AppError `not_found` to principals without access; `forbidden` if the connection does not show
   * its schema or accepts no scripts, if a script would need an approval, or if a guardrail blocks it;
   * `unprocessable` if the target has no tables or did not list them.
   */
  list(actor: Principal, nameOrId: string, wanted: WantedTables): Promise<TablesView> {
    return this.executions.enter(() => this.listed(actor, nameOrId, wanted));
  }

  private async listed(actor: Principal, nameOrId: string, wanted: WantedTables): Promise<TablesView> {
    const target = await this.gate.target(actor, nameOrId);
    const lister = listerOf(target);
    const script = lister.script(wanted);
    const place = new ScriptPlace(this.limits);
    try {
      const session = await this.gate.enterUnasked(actor, visit(target, script), place.reserve);
      const result = await place.whileRunning(this.run(session, script));
      return viewOf(resultOf(target, result), result, lister);
    } finally {
      place.leaveUnlessRunning();
    }
  }

  private async run(session: Session, text: string): Promise<ScriptResult> {
    const admission = await session.admit({ kind: 'statement', text });
    switch (admission.kind) {
      case 'forward':
        return this.executions.execute(session, { text, traceparent: undefined, within: LIST_WITHIN_MS });
      case 'refused':
        if (admission.reason === 'limit') throw limitError(admission);
        throw new AppError(admission.reason === 'fault' ? 'internal' : 'forbidden', admission.message);
      case 'pending':
        throw new Error('a session that asks nobody waits for a review');
    }
  }
}

function listerOf(target: Target): TableLister {
  const lister = targetKind(target.subtype)?.tables;
  if (lister === undefined)
    throw new AppError(
      'unprocessable',
      `the connection ${target.name} has no tables: it leads to ${target.subtype}`,
    );
  if (!target.showsSchema)
    throw new AppError('forbidden', `the connection ${target.name} does not show its schema`);
  return lister;
}

function visit({ id }: Target, script: string) {
  return {
    connection: id,
    verb: 'exec',
    script,
    labels: {},
    metadata: METADATA,
    batchId: null,
    correlationId: null,
    reason: null,
    credentialId: null,
    until: null,
  } as const;
}

/** @returns the output of the target. @throws AppError if the target did not list its tables. */
function resultOf({ name }: Target, { output, output_status: status }: ScriptResult): string {
  if (status === 'success') return output;
  if (status === 'blocked') throw new AppError('forbidden', output);
  throw new AppError('unprocessable', `the tables of ${name} could not be listed: ${output.trim()}`);
}

function viewOf(output: string, { session_id, truncated }: ScriptResult, lister: TableLister): TablesView {
  const { tables, isCut } = lister.read(output);
  const schemas = new Map<string, SchemaTablesView>();
  for (const table of tables) addTo(schemas, table);
  return { schemas: [...schemas.values()], truncated: truncated || isCut, session_id };
}

function addTo(schemas: Map<string, SchemaTablesView>, table: ListedTable): void {
  const { schema: name, isInDefaultSchema: is_default, columns } = table;
  const schema = schemas.get(name) ?? { name, is_default, tables: [], table_columns: [] };
  schemas.set(name, schema);
  schema.tables.push(table.name);
  schema.table_columns.push({
    table: table.name,
    columns: columns.map(({ name: column_name, type: column_type, isRequired: not_null }) => ({
      column_name,
      column_type,
      not_null,
    })),
  });
}
