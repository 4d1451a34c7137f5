import type { RuleEntry } from '../../../src/guardrails/entries/rule-entry';
import { type Effect, reads, statement, writes } from './intent';
import { SECRET } from './world';

/** A text that a statement rule lets pass as documented, although an admin may expect a refusal. */
export interface Limit {
  readonly why: string;
  /** SQL that a user without rules ran on the database before. */
  readonly before: string;
  readonly text: string;
  readonly rule: RuleEntry;
  readonly effect: Effect;
}

const secret: Effect = { output: SECRET };
const noOrders: Effect = { probe: 'SELECT NOT EXISTS (TABLE public.orders)' };
const everyRow = (condition: string): Limit => ({
  why: 'it has a condition, which happens to be true of every row',
  before: '',
  text: `DELETE FROM orders WHERE ${condition}`,
  rule: statement({ without_where: true }),
  effect: noOrders,
});

/**
 * The known limits. Rules see only the text, so they do not know which object a name refers to, or which
 * rows a condition excludes. Only the database's own privileges can refuse these texts.
 */
export const LIMITS: readonly Limit[] = [
  everyRow('id = id'),
  everyRow('id IS NOT NULL'),
  everyRow('id > -1'),
  everyRow('now() = now()'),
  everyRow('EXISTS (SELECT 1)'),
  {
    why: 'a view that is already there reads the table',
    before: 'CREATE VIEW report AS TABLE secrets',
    text: 'TABLE report',
    rule: reads('secrets'),
    effect: secret,
  },
  {
    why: 'a function that is already there reads the table',
    before: `CREATE FUNCTION report() RETURNS SETOF secrets LANGUAGE sql AS 'TABLE secrets'`,
    text: 'SELECT report()',
    rule: reads('secrets'),
    effect: secret,
  },
  {
    why: 'a function that is already there runs what it is given',
    before: `CREATE FUNCTION helper(a text) RETURNS text LANGUAGE plpgsql AS 'DECLARE r text; BEGIN EXECUTE a INTO r; RETURN r; END'`,
    text: `SELECT helper('SELECT token FROM sec' || 'rets')`,
    rule: reads('secrets'),
    effect: secret,
  },
  {
    why: 'a trigger that is already there deletes',
    before: 'CREATE RULE r AS ON UPDATE TO notes DO ALSO DELETE FROM orders',
    text: 'UPDATE notes SET id = 1 WHERE id = 1',
    rule: writes('orders'),
    effect: noOrders,
  },
  {
    why: 'a foreign key that is already there cascades',
    before: `CREATE TABLE lead (id int PRIMARY KEY); INSERT INTO lead VALUES (1), (2), (3);
      ALTER TABLE orders ADD FOREIGN KEY (id) REFERENCES lead ON DELETE CASCADE`,
    text: 'DELETE FROM lead WHERE id > 0',
    rule: writes('orders'),
    effect: noOrders,
  },
  {
    why: 'the planner’s statistics hold values of the table',
    before: `INSERT INTO secrets VALUES (2, 'root', '${SECRET}-2'); ANALYZE secrets`,
    text: `SELECT histogram_bounds FROM pg_stats WHERE tablename = 'secrets'`,
    rule: reads('secrets'),
    effect: secret,
  },
  {
    why: 'a superuser reads the file that holds the table',
    before: 'CHECKPOINT',
    text: `SELECT encode(pg_read_binary_file(pg_relation_filepath('secrets')), 'escape')`,
    rule: reads('secrets'),
    effect: secret,
  },
];
