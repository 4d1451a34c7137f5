import { createInterface } from 'node:readline/promises';
import { dump } from 'js-yaml';
import type { Context } from '../context.js';
import { CommandFault, EXIT, endOf } from '../exit-codes.js';
import { briefEntry, differences, isRuleSet, stated } from '../rules/difference.js';
import type { Kind } from '../rules/kind.js';
import { accessRulesOf } from '../rules/kinds/access-rules.js';
import { attributesOf } from '../rules/kinds/attributes.js';
import { connectionsOf } from '../rules/kinds/connections.js';
import { guardrailsOf } from '../rules/kinds/guardrails.js';
import { type Change, type Plan, planOf } from '../rules/plan.js';
import { SECTIONS, type Section, type Wanted, readPolicy } from '../rules/policy-file.js';
import { planView, shownPlan } from '../rules/shown-plan.js';
import { cell } from '../shown/harmless.js';
import type { Output } from '../shown/output.js';

export interface ExportOptions {
  readonly only?: readonly Section[];
}

export interface DiffOptions {
  readonly prune?: boolean;
}

export interface ApplyOptions extends DiffOptions {
  readonly yes?: boolean;
}

const DONE = { create: 'Created', change: 'Changed', delete: 'Deleted' } as const;
const PRECONDITION_FAILED = 412;

/** `gateway rules export`: prints rules in a stable order, without rules that an external system manages. */
export async function exported(context: Context, { only = SECTIONS }: ExportOptions): Promise<void> {
  const { output } = context;
  const kinds = await kindsOf(context);
  const document: Record<string, Wanted[]> = {};
  for (const section of SECTIONS.filter((one) => only.includes(one))) {
    const all = (await kinds[section].all()).filter(({ managedBy }) => managedBy === null);
    document[section] = all
      .map(({ fields }) => brief(stated(fields, kinds[section].defaults)))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }
  if (output.format === 'json') output.json(document);
  else output.content(dump(document, { lineWidth: -1, noRefs: true }));
}

/** `gateway rules diff`: returns exit code 1 when something differs. */
export async function diff(
  context: Context,
  files: readonly string[],
  options: DiffOptions,
): Promise<number> {
  const plan = await planFor(context, files, options);
  show(context.output, plan);
  return plan.changes.length === 0 ? EXIT.ok : EXIT.failed;
}

/**
 * `gateway rules apply`: shows the differences, then applies them if `--yes` is given or the user confirms at
 * the terminal.
 */
export async function apply(
  context: Context,
  files: readonly string[],
  { yes = false, ...options }: ApplyOptions,
): Promise<number> {
  const { output } = context;
  const plan = await planFor(context, files, options);
  show(output, plan);
  if (plan.changes.length === 0) return EXIT.ok;
  if (!yes && !(await isConfirmed(context, files))) {
    output.say('Nothing was changed. With --yes, it is.');
    return EXIT.failed;
  }
  let done = 0;
  for (const change of plan.changes) {
    context.signal.throwIfAborted();
    await carryOut(change, output).catch((error: unknown) => {
      throw faultOf(error, change, done, plan.changes.length);
    });
    done += 1;
  }
  return EXIT.ok;
}

async function planFor(
  context: Context,
  files: readonly string[],
  { prune = false }: DiffOptions,
): Promise<Plan> {
  const policy = readPolicy(files);
  return planOf(policy, await kindsOf(context), prune);
}

async function kindsOf({ gateway }: Context): Promise<Readonly<Record<Section, Kind>>> {
  return {
    attributes: attributesOf(gateway),
    connections: connectionsOf(gateway),
    guardrails: await guardrailsOf(gateway),
    access_rules: accessRulesOf(gateway),
  };
}

function show(output: Output, plan: Plan): void {
  if (output.format === 'json') output.json(planView(plan));
  else for (const line of shownPlan(plan)) output.line(line);
}

async function isConfirmed({ signal }: Context, files: readonly string[]): Promise<boolean> {
  if (!process.stdin.isTTY || files.includes('-')) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question('Carry this out? [y/N] ', { signal })).trim());
  } finally {
    terminal.close();
  }
}

async function carryOut({ kind, name, action, wanted, apply: carry }: Change, output: Output): Promise<void> {
  const stored = await carry();
  const named = `${kind.label} ${name}`;
  output.say(`${DONE[action]} ${named}.`);
  if (stored === undefined || wanted === undefined) return;
  for (const warning of stored.warnings) output.say(`Warning: ${named}: ${warning}`);
  for (const { field, before } of differences(stored.fields, wanted))
    output.say(
      `Warning: ${named}: the gateway keeps ${field} as ${cell(JSON.stringify(before))}; write it so`,
    );
}

function faultOf(error: unknown, { kind, name }: Change, done: number, all: number): CommandFault {
  const { message, exitCode } = endOf(error);
  const isStale = error instanceof Error && 'status' in error && error.status === PRECONDITION_FAILED;
  const why = isStale ? 'somebody changed it meanwhile; run it again' : message;
  return new CommandFault(
    `${kind.label} ${name}: ${why} (${done} of ${all} changes were made)`,
    isStale ? EXIT.later : exitCode,
  );
}

/** Shortens rule entries to the form that people write by hand. */
function brief(fields: Wanted): Wanted {
  const entries = Object.entries(fields).map(([field, value]) => [
    field,
    isRuleSet(value) ? { rules: value.rules.map(briefEntry) } : value,
  ]);
  return { name: fields.name, ...(Object.fromEntries(entries) as object) };
}
