import type { Draw } from './draw';
import { type Format, type Value, bind, close, describe, execute, flush, parse, sync } from './messages';
import { type Step, step } from './pipeline';
import { drawPlain, type Topic } from './simple-steps';
import { PREPARED, type Statement } from './statements';
import { drawValue } from './values';

/** Names of prepared statements to pick from. The empty name is listed thrice, to be picked more often. */
export const STATEMENTS = ['', '', '', 's1', 's2', 's3', 'with "quotes" 日本'];
const PORTALS = ['', '', '', 'p1', 'p2'];
const ROW_LIMITS = [0, 0, 0, 1, 2, 5, 1_000];
const UNKNOWN = 'unknown';

/** Draws extended queries. Remembers the prepared statements for the next queries. */
export class ExtendedSteps {
  /**
   * Statements that the server has prepared if no message failed. After an error, the server may have other
   * statements; it then answers an unknown name with an error.
   */
  private readonly prepared = new Map<string, Statement>();
  /**
   * Portals bound since the last Sync, and sometimes earlier ones: inside a transaction block, portals
   * survive a Sync.
   */
  private portals: string[] = [];

  constructor(
    private readonly draw: Draw,
    private readonly topics: readonly Topic[],
  ) {}

  /** Draws some messages of extended queries, and the Sync that ends them. */
  segment(): Step[] {
    if (!this.draw.once(3)) this.portals = [];
    const isFlushing = this.draw.once(8);
    const steps = this.draw
      .times(this.draw.between(1, 5), () => this.action())
      .flatMap((taken) =>
        // Some clients request each answer with a Flush, and send a Sync only at the end.
        isFlushing ? [...taken, step('Flush', flush(), { awaits: 'flush' })] : taken,
      );
    const syncs = this.draw.once(10) ? 2 : 1;
    const awaits = this.draw.once(3) ? 'ready' : 'nothing';
    return [...steps, ...this.draw.times(syncs, () => step('Sync', sync(), { readies: 1, awaits }))];
  }

  /** Returns the messages of one statement from Parse to Sync, as most drivers send it. */
  plain(sql: string): Step[] {
    this.prepared.set('', { sql, kinds: [] });
    return [
      step(`Parse "" ${sql}`, parse('', sql), { answers: 1 }),
      step('Bind ""', bind({ portal: '', statement: '', values: [], resultFormats: [] }), { answers: 1 }),
      step('Describe P ""', describe('P', ''), { answers: 1 }),
      step('Execute ""', execute(''), { answers: 1 }),
      step('Sync', sync(), { readies: 1 }),
    ];
  }

  private action(): Step[] {
    const kind = this.draw.weighted([
      ['whole', 6],
      ['prepare', 3],
      ['run', 6],
      ['resume', 2],
      ['describe', 2],
      ['close', 2],
      ['flush', 2],
    ]);
    switch (kind) {
      case 'whole':
        return [...this.prepare(), ...this.run([...this.prepared.keys()].at(-1))];
      case 'prepare':
        return this.prepare();
      case 'run':
        return this.prepared.size === 0
          ? [...this.prepare(), ...this.run([...this.prepared.keys()].at(-1))]
          : this.run(this.knownName());
      case 'resume':
        return this.draw.times(this.draw.between(1, 2), () => this.execute(this.knownPortal()));
      case 'describe':
        return [this.onNamed('Describe', describe)];
      case 'close':
        return [this.onNamed('Close', close)];
      case 'flush':
        return [step('Flush', flush(), { awaits: this.draw.once(2) ? 'flush' : 'nothing' })];
    }
  }

  private prepare(): Step[] {
    const { draw } = this;
    const name = draw.pick(STATEMENTS);
    const statement = draw.once(3) ? { sql: drawPlain(draw, this.topics), kinds: [] } : draw.pick(PREPARED);
    const sql = draw.once(25) ? draw.pick(['', 'SELECT 1; SELECT 2', '-- nothing']) : statement.sql;
    // Deletes the name first, so that it becomes the last key of the map.
    this.prepared.delete(name);
    this.prepared.set(name, statement);
    const steps = [step(`Parse "${name}" ${sql}`, parse(name, sql), { answers: 1 })];
    // Mostly closes the name first. Without Close, the server refuses to prepare a name again.
    if (name === '' || draw.once(4)) return steps;
    return [step(`Close S "${name}"`, close('S', name), { answers: 1 }), ...steps];
  }

  private run(statementName = UNKNOWN): Step[] {
    const { draw } = this;
    const portal = draw.pick(PORTALS);
    const values = this.values(this.prepared.get(statementName));
    const resultFormats = this.resultFormats();
    const message = bind({ portal, statement: statementName, values, resultFormats });
    const shownValues = values.map(({ format, bytes }) =>
      bytes === null ? 'NULL' : format === 0 ? bytes.toString().slice(0, 20) : bytes.toString('hex', 0, 20),
    );
    const label = `Bind "${portal}" of "${statementName}" (${shownValues.join(' | ')}) results ${resultFormats.join()}`;
    const steps = [step(label, message, { answers: 1 })];
    // Mostly closes a bound portal first, because only the unnamed portal can be bound again without Close.
    if (portal !== '' && this.portals.includes(portal) && !draw.once(5))
      steps.unshift(step(`Close P "${portal}"`, close('P', portal), { answers: 1 }));
    this.portals.push(portal);
    if (!draw.once(3)) steps.push(step(`Describe P "${portal}"`, describe('P', portal), { answers: 1 }));
    const executes = draw.once(8) ? draw.between(2, 4) : draw.once(15) ? 0 : 1;
    return [...steps, ...draw.times(executes, () => this.execute(portal))];
  }

  private values(statement: Statement | undefined): Value[] {
    const kinds = statement?.kinds ?? [];
    const values = kinds.map((kind) => drawValue(this.draw, kind));
    if (!this.draw.once(40)) return values;
    return this.draw.once(2) ? values.slice(1) : [...values, drawValue(this.draw, 'text')];
  }

  private resultFormats(): Format[] {
    if (this.draw.once(40)) return [0, 1, 0];
    return this.draw.pick<Format[]>([[], [], [0], [1]]);
  }

  private execute(portal: string): Step {
    const rows = this.draw.pick(ROW_LIMITS);
    return step(`Execute "${portal}" ${rows}`, execute(portal, rows), { answers: 1 });
  }

  private onNamed(label: string, message: typeof describe): Step {
    const kind = this.draw.pick(['S', 'P'] as const);
    const name = kind === 'P' ? this.knownPortal() : (this.knownName() ?? UNKNOWN);
    if (message === close && kind === 'S') this.prepared.delete(name);
    if (message === close && kind === 'P') this.portals = this.portals.filter((portal) => portal !== name);
    return step(`${label} ${kind} "${name}"`, message(kind, name), { answers: 1 });
  }

  private knownPortal(): string {
    const known = this.portals.length > 0 && !this.draw.once(8);
    return this.draw.pick(known ? this.portals : [...PORTALS, 'c']);
  }

  private knownName(): string | undefined {
    const names = [...this.prepared.keys()];
    return names.length === 0 || this.draw.once(15) ? undefined : this.draw.pick(names);
  }
}
