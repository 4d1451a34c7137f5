import { FAULT_MESSAGE } from '../../../src/gate/refusal';
import type { RecordedEvent } from './chunks';
import type { Random } from './random';
import type { Fault, Finding } from './session-findings';

/** A statement that inserts its marker into the target, as one row. */
export interface WireStatement {
  readonly marker: string;
  readonly text: string;
  /** The marker, if it is sent as a parameter; undefined if it is in the text. */
  readonly value: string | undefined;
}

/** Weights of the kinds of statements. */
const KINDS = { simple: 50, values: 40, wide: 10 };
const DONE = 'INSERT 0 1\n';

export function planStatement(visit: string, number: number, random: Random): WireStatement {
  const marker = `mark-${visit}-${number}`;
  const text = `INSERT INTO ledger VALUES ('${marker}')`;
  switch (random.pick(KINDS)) {
    case 'simple':
      return { marker, text, value: undefined };
    case 'values':
      return { marker, text: 'INSERT INTO ledger VALUES ($1)', value: marker };
    case 'wide':
      return { marker, text: `${text} -- ${'.'.repeat(random.between(1, 400_000))}`, value: undefined };
  }
}

/** A session as it is stored after the run. `faults` are the faults of its stored chunks. */
export interface WireEvidence {
  /** `application_name` of its client. */
  readonly visit: string;
  readonly status: string;
  readonly endDate: Date | null;
  readonly received: number;
  readonly events: readonly RecordedEvent[];
  readonly faults: readonly string[];
}

/**
 * Compares the statements and answers of PostgreSQL clients with their sessions. A session has many
 * statements.
 */
export class WireLedger {
  private readonly visits = new Map<string, { readonly sent: WireStatement[]; acknowledged: number }>();
  private readonly findings: Finding[] = [];
  private readonly inspected = new Set<string>();
  /** Markers whose input is recorded. */
  private readonly recorded = new Set<string>();
  acknowledged = 0;
  sent = 0;

  sentBy(visit: string): number {
    return this.visits.get(visit)?.sent.length ?? 0;
  }

  send(visit: string, statement: WireStatement): void {
    const known = this.visits.get(visit) ?? { sent: [], acknowledged: 0 };
    this.visits.set(visit, known);
    known.sent.push(statement);
    this.sent += 1;
  }

  /** Counts an answer to the last statement. From now on, nothing of this statement may be lost. */
  acknowledge(visit: string): void {
    const known = this.visits.get(visit);
    if (known === undefined) throw new Error(`${visit} sent nothing`);
    known.acknowledged += 1;
    this.acknowledged += 1;
  }

  /** Must be called once for each session. */
  inspect(session: WireEvidence): void {
    const find = (fault: Fault, what: string): unknown =>
      this.findings.push({ fault, what: `${session.visit}: ${what}` });
    if (this.inspected.has(session.visit)) find('duplicated', 'there are two sessions of it');
    this.inspected.add(session.visit);
    if (session.status !== 'done' || session.endDate === null) find('left_open', `it is ${session.status}`);
    for (const fault of session.faults) find('torn', fault);
    if (session.received !== session.events.length)
      find('torn', `${session.received} events came, ${session.events.length} are there`);
    const { sent = [], acknowledged = 0 } = this.visits.get(session.visit) ?? {};
    // If a client was refused at its start (the rules could not be loaded), its label is recorded, although
    // it sent no statement.
    const isKeptOut = sent.length === 0 && isLabelOf(session.visit, session.events[0]);
    this.follow(session.events.slice(isKeptOut ? 1 : 0), sent, acknowledged, find);
  }

  /** `effects` are the markers of all rows in the target. Must be called last. */
  verdict(effects: readonly string[]): Record<Fault, number> & { readonly findings: readonly string[] } {
    const find = (fault: Fault, what: string): unknown => this.findings.push({ fault, what });
    for (const [visit, { acknowledged }] of this.visits)
      if (acknowledged > 0 && !this.inspected.has(visit)) find('lost', `${visit} has no session`);
    const seen = new Set<string>();
    for (const marker of effects) {
      if (seen.has(marker)) find('duplicated', `${marker} ran twice`);
      if (!this.recorded.has(marker)) find('lost', `${marker} ran, its input is not recorded`);
      seen.add(marker);
    }
    for (const { sent, acknowledged } of this.visits.values())
      for (const { marker } of sent.slice(0, acknowledged))
        if (!seen.has(marker)) find('lost', `${marker} was acknowledged and did not run`);
    const count = (fault: Fault): number => this.findings.filter((finding) => finding.fault === fault).length;
    return {
      lost: count('lost'),
      duplicated: count('duplicated'),
      torn: count('torn'),
      left_open: count('left_open'),
      findings: this.findings.map(({ fault, what }) => `${fault}: ${what}`),
    };
  }

  /**
   * Checks that the recording contains the sent statements in order. An event of type `p` has the values for
   * the text before it. The recording must not end before the last acknowledged answer.
   */
  private follow(
    events: readonly RecordedEvent[],
    sent: readonly WireStatement[],
    acknowledged: number,
    find: (fault: Fault, what: string) => unknown,
  ): void {
    let at = 0;
    for (const [number, { marker, text, value }] of sent.entries()) {
      const expected = [...inputsOf({ marker, text, value }), `o ${DONE}`];
      const before = at;
      while (at < events.length && `${events[at]?.type} ${events[at]?.content}` === expected[at - before])
        at += 1;
      const found = at - before;
      if (found >= expected.length - 1) this.recorded.add(marker);
      if (found === expected.length) continue;
      if (number < acknowledged)
        find('lost', `${marker} was acknowledged; ${found} of ${expected.length} events are there`);
      break;
    }
    const left = strays(events.slice(at), sent.at(-1));
    if (left.length === 0) return;
    const fault = left.some(({ type }) => type === 'i' || type === 'p') ? 'duplicated' : 'torn';
    const shown = (some: readonly RecordedEvent[]): string => JSON.stringify(some).slice(0, 600);
    find(fault, `after ${shown(events.slice(Math.max(at - 3, 0), at))} there is ${shown(events.slice(at))}`);
  }
}

function isLabelOf(visit: string, event: RecordedEvent | undefined): boolean {
  return event?.type === 'i' && event.content === `SET application_name TO '${visit}'`;
}

function inputsOf({ text, value }: WireStatement): string[] {
  return [`i ${text}`, ...(value === undefined ? [] : [`p \\bind '${value}'`])];
}

/** Reasons for which a message is refused although no rule forbids it: it could not be judged. */
const UNJUDGED = new RegExp(`^(?:${FAULT_MESSAGE.replaceAll('.', '[.]')}|.*try again later[.])\n$`);

/**
 * Returns the events that must not be there. Only the reason for the end may follow the statements. But if a
 * message could not be judged (the rules could not be loaded), its inputs and the reason may follow: a client
 * sends Parse, Bind and Execute together, and each refused message records the statement.
 */
function strays(rest: readonly RecordedEvent[], last: WireStatement | undefined): RecordedEvent[] {
  const inputs = new Set(last === undefined ? [] : inputsOf(last));
  const reason = rest.findIndex(({ type }) => type === 'e');
  // The first message of the three was refused, or a later one, whose inputs come before the reason.
  const isRefused =
    reason === 0 || (reason > 0 && reason <= inputs.size && UNJUDGED.test(rest[reason]?.content ?? ''));
  const mayFollow = isRefused ? inputs : new Set<string>();
  return rest.filter(({ type, content }) =>
    type === 'e' ? content.includes('mark-') : !mayFollow.has(`${type} ${content}`),
  );
}
