import type { RecordedEvent } from '../ledger/chunks';
import type { Fault, Finding } from '../ledger/session-findings';

/** Kinds of channels: a command each, lines to the standard input of one program, operations on files. */
export type ChannelKind = 'command' | 'lines' | 'files';

/** A session as it is stored after the run. `faults` are the faults of its stored chunks. */
export interface SshEvidence {
  readonly id: string;
  readonly status: string;
  readonly endDate: Date | null;
  readonly received: number;
  readonly events: readonly RecordedEvent[];
  readonly faults: readonly string[];
}

interface SentChannel {
  readonly kind: ChannelKind;
  /** The inputs that the recording must have, in order. */
  readonly inputs: string[];
  /** The output for each input, where there is any. */
  readonly outputs: string[];
  /** The mark of each input, where it has an effect. */
  readonly marks: (string | undefined)[];
  acknowledged: number;
}

const MARK = /mark-([a-z]+-\d+-\d+)/;

/**
 * Compares what clients of SSH sent, and what they were answered, with the sessions that are stored, and with
 * the effects on the server. Each channel is one session. Its name is `<kind>-<client>-<number>`.
 */
export class SshLedger {
  private readonly channels = new Map<string, SentChannel>();
  private readonly findings: Finding[] = [];
  private readonly inspected = new Set<string>();
  private readonly recorded = new Set<string>();
  acknowledged = 0;
  sent = 0;

  begin(channel: string, kind: ChannelKind): void {
    this.channels.set(channel, { kind, inputs: [], outputs: [], marks: [], acknowledged: 0 });
  }

  /** Notes an input before it is sent. @param mark the effect that it has on the server */
  send(channel: string, input: string, output = '', mark?: string): void {
    const known = this.of(channel);
    known.inputs.push(input);
    known.outputs.push(output);
    known.marks.push(mark);
    this.sent += 1;
  }

  /** Counts the answer to the last input. From now on, nothing of it may be lost. */
  acknowledge(channel: string): void {
    const known = this.of(channel);
    known.acknowledged = known.inputs.length;
    this.acknowledged += 1;
  }

  /** Must be called once for each session. */
  inspect(session: SshEvidence): void {
    const channel = channelOf(session.events);
    const find = (fault: Fault, what: string): unknown =>
      this.findings.push({ fault, what: `${channel ?? session.id}: ${what}` });
    if (session.status !== 'done' || session.endDate === null) find('left_open', `it is ${session.status}`);
    for (const fault of session.faults) find('torn', fault);
    if (session.received !== session.events.length)
      find('torn', `${session.received} events came, ${session.events.length} are there`);
    // A session whose gateway was killed before its first input was recorded, or that moved no file.
    if (channel === undefined) return;
    if (this.inspected.has(channel)) find('duplicated', 'there are two sessions of it');
    this.inspected.add(channel);
    const sent = this.channels.get(channel);
    if (sent === undefined) return void find('torn', 'nobody sent it');
    this.compareInputs(sent, session.events, find);
    compareOutputs(sent, session.events, find);
  }

  /** `effects` are the marks that are on the server. Must be called last. */
  verdict(effects: readonly string[]): Record<Fault, number> & { readonly findings: readonly string[] } {
    const find = (fault: Fault, what: string): unknown => this.findings.push({ fault, what });
    const seen = new Set<string>();
    for (const mark of effects) {
      if (seen.has(mark)) find('duplicated', `${mark} ran twice`);
      if (!this.recorded.has(mark)) find('lost', `${mark} ran, its input is not recorded`);
      seen.add(mark);
    }
    for (const [channel, { marks, acknowledged }] of this.channels) {
      if (acknowledged > 0 && !this.inspected.has(channel)) find('lost', `${channel} has no session`);
      for (const mark of marks.slice(0, acknowledged))
        if (mark !== undefined && !seen.has(mark)) find('lost', `${mark} was acknowledged and did not run`);
    }
    const count = (fault: Fault): number => this.findings.filter((finding) => finding.fault === fault).length;
    return {
      lost: count('lost'),
      duplicated: count('duplicated'),
      torn: count('torn'),
      left_open: count('left_open'),
      findings: this.findings.map(({ fault, what }) => `${fault}: ${what}`),
    };
  }

  private of(channel: string): SentChannel {
    const known = this.channels.get(channel);
    if (known === undefined) throw new Error(`${channel} was not begun`);
    return known;
  }

  /** The recorded inputs are those that were sent, in order, and none that was answered is missing. */
  private compareInputs(
    { inputs, marks, acknowledged }: SentChannel,
    events: readonly RecordedEvent[],
    find: (fault: Fault, what: string) => unknown,
  ): void {
    const recorded = inputsOf(events);
    for (const [index, mark] of marks.entries())
      if (mark !== undefined && recorded[index] === inputs[index]) this.recorded.add(mark);
    const isSame = recorded.every((content, index) => content === inputs[index]);
    if (recorded.length < acknowledged)
      find('lost', `${acknowledged} inputs were answered, ${recorded.length} are recorded`);
    else if (new Set(recorded).size < recorded.length) find('duplicated', `an input is recorded twice`);
    else if (!isSame) find('torn', `it has other inputs: ${JSON.stringify(recorded).slice(0, 400)}`);
  }
}

/**
 * The recorded output is a beginning of what the program writes, and not shorter than what the client has
 * read. What follows it can only be the reason for the end, which is error output.
 */
function compareOutputs(
  { outputs, acknowledged }: SentChannel,
  events: readonly RecordedEvent[],
  find: (fault: Fault, what: string) => unknown,
): void {
  const recorded = events.filter(({ type }) => type === 'o').map(({ content }) => content);
  const read = outputs.slice(0, acknowledged).join('');
  const all = recorded.join('');
  if (!all.startsWith(read)) find('lost', `the client read ${read.length} characters more than are recorded`);
  if (!outputs.join('').startsWith(all)) find('torn', `it has other output: ${all.slice(-400)}`);
}

/** The name of the channel, which is a part of each of its marks. */
function channelOf(events: readonly RecordedEvent[]): string | undefined {
  return inputsOf(events)
    .map((content) => MARK.exec(content)?.[1])
    .find((name) => name !== undefined);
}

/** Inputs: what began the channel (`i`), operations on files (`i`), standard input (`p`). */
function inputsOf(events: readonly RecordedEvent[]): string[] {
  return events.filter(({ type }) => type === 'i' || type === 'p').map(({ content }) => content);
}
