import { type Script, markerIn, tokensIn } from './scripts';
import {
  type Answer,
  type Fault,
  type Finding,
  type SessionEvidence,
  findingsOf,
  sha256,
} from './session-findings';

export type Verdict = Record<Fault, number> & { readonly findings: readonly string[] };

interface Entry {
  readonly script: Script;
  answer?: Answer;
}

/**
 * Stores the inputs that clients sent and the answers that they received. Afterwards, compares them with all
 * sessions and all effects on the target.
 */
export class Ledger {
  private readonly entries = new Map<string, Entry>();
  private readonly findings: Finding[] = [];
  /** Sessions that hold the input, or output, of a script. */
  private readonly inputs = new Map<string, Set<string>>();
  private readonly outputs = new Map<string, Set<string>>();
  acknowledged = 0;

  get sent(): number {
    return this.entries.size;
  }

  send(script: Script): void {
    if (this.entries.has(script.marker)) throw new Error(`${script.marker} was sent before`);
    this.entries.set(script.marker, { script });
  }

  /** Stores an answer with a session. From now on, the gateway must not lose anything of this answer. */
  acknowledge(
    { marker }: Script,
    { output, ...told }: Pick<Answer, 'sessionId' | 'status' | 'truncated'> & { output: string },
  ): void {
    const entry = this.entries.get(marker);
    if (entry === undefined) throw new Error(`${marker} was not sent`);
    const bytes = Buffer.from(output);
    entry.answer = { ...told, bytes: bytes.length, sha256: sha256(bytes) };
    this.acknowledged += 1;
  }

  /** Checks a stored session. Must be called once for each session. */
  inspect(session: SessionEvidence): void {
    const input = session.events.find(({ type }) => type === 'i');
    const marker = input && markerIn(input.content);
    this.findings.push(...findingsOf(session, this.entries.get(marker ?? '')));
    if (marker !== undefined) holdersOf(this.inputs, marker).add(session.id);
    for (const { type, content } of session.events) {
      if (type === 'i') continue;
      for (const token of tokensIn(content)) holdersOf(this.outputs, markerIn(token) ?? '').add(session.id);
    }
  }

  /** Returns all findings. `effects` are the markers of all rows in the target. Must be called last. */
  verdict(effects: readonly string[]): Verdict {
    const findings = [...this.findings, ...this.losses(), ...this.repetitions(), ...this.strays(effects)];
    const count = (fault: Fault): number => findings.filter((finding) => finding.fault === fault).length;
    return {
      lost: count('lost'),
      duplicated: count('duplicated'),
      torn: count('torn'),
      left_open: count('left_open'),
      findings: findings.map(({ fault, what }) => `${fault}: ${what}`),
    };
  }

  private *losses(): Generator<Finding> {
    for (const [marker, { answer }] of this.entries) {
      if (answer === undefined || this.inputs.get(marker)?.has(answer.sessionId)) continue;
      yield {
        fault: 'lost',
        what: `${marker} was acknowledged; ${answer.sessionId} does not hold its input`,
      };
    }
  }

  private *repetitions(): Generator<Finding> {
    for (const [what, holders] of [
      ['input', this.inputs],
      ['output', this.outputs],
    ] as const) {
      for (const [marker, sessions] of holders) {
        if (sessions.size > 1)
          yield { fault: 'duplicated', what: `the ${what} of ${marker} is in ${[...sessions].join(', ')}` };
      }
    }
  }

  /** Finds effects of scripts that are not recorded, or that ran twice. */
  private *strays(effects: readonly string[]): Generator<Finding> {
    const seen = new Set<string>();
    for (const marker of effects) {
      if (seen.has(marker)) yield { fault: 'duplicated', what: `${marker} ran twice` };
      else if (!this.inputs.has(marker))
        yield { fault: 'lost', what: `${marker} ran, its input is not recorded` };
      seen.add(marker);
    }
  }
}

function holdersOf(holders: Map<string, Set<string>>, marker: string): Set<string> {
  const known = holders.get(marker) ?? new Set();
  holders.set(marker, known);
  return known;
}
