import { createHash } from 'node:crypto';
import type { RecordedEvent } from './chunks';
import { type Script, inputOf, markerIn, outputOf, tokensIn } from './scripts';

export type Fault = 'lost' | 'duplicated' | 'torn' | 'left_open';

export interface Finding {
  readonly fault: Fault;
  readonly what: string;
}

/** The answer that a client received for a script, with the length (bytes) and SHA-256 of the output. */
export interface Answer {
  readonly sessionId: string;
  readonly status: 'success' | 'failed' | 'blocked' | 'running';
  readonly truncated: boolean;
  readonly bytes: number;
  readonly sha256: string;
}

/** A session as it is stored after the run. `faults` are the faults of its stored chunks. */
export interface SessionEvidence {
  readonly id: string;
  readonly status: string;
  readonly endDate: string | null;
  readonly exitCode: number | null;
  readonly script: string | null;
  readonly received: number;
  readonly stored: number;
  readonly buffered: number;
  readonly events: readonly RecordedEvent[];
  readonly faults: readonly string[];
}

type Find = (fault: Fault, what: string) => void;

/** Returns the faults of a session. `sent` has the script that the session recorded, and the answer to it. */
export function findingsOf(
  session: SessionEvidence,
  sent: { readonly script: Script; readonly answer?: Answer | undefined } | undefined,
): Finding[] {
  const findings: Finding[] = [];
  const find: Find = (fault, what) =>
    findings.push({ fault, what: `${session.id} (${sent?.script.marker ?? 'no script'}): ${what}` });
  checkEnd(session, find);
  for (const fault of session.faults) find('torn', fault);
  checkInput(session, sent?.script, find);
  checkRepetition(session, find);
  if (sent !== undefined) checkOutput(session, sent.script, find);
  if (sent?.answer?.sessionId === session.id) checkAnswer(session, sent.script, sent.answer, find);
  return findings;
}

function checkEnd(
  { status, endDate, received, stored, buffered, events }: SessionEvidence,
  find: Find,
): void {
  if (status !== 'done') find('left_open', `it is ${status}`);
  else if (endDate === null) find('left_open', 'it is done, and has no end');
  if (stored !== events.length) find('torn', `${stored} events are stored, ${events.length} are there`);
  if (buffered !== 0) find('torn', `${buffered} events are still buffered`);
  if (received !== stored + buffered)
    find('torn', `${received} events came, ${stored} + ${buffered} are known`);
}

function checkInput({ script, events }: SessionEvidence, sent: Script | undefined, find: Find): void {
  const inputs = events.filter(({ type }) => type === 'i').map(({ content }) => content);
  if (inputs.length > 1) find('duplicated', `it holds ${inputs.length} inputs`);
  if (inputs.length === 0 && events.some(({ content }) => tokensIn(content).length > 0))
    find('lost', 'it holds output of an input that it does not hold');
  for (const input of inputs) {
    if (sent === undefined) find('torn', `it holds an input that nobody sent: ${input.slice(0, 80)}`);
    else if (input !== inputOf(sent)) find('torn', 'the recorded input is another one');
    if (input !== script) find('torn', 'its script is not the recorded input');
  }
}

function checkRepetition({ events }: SessionEvidence, find: Find): void {
  const tokens = outputEvents(events).flatMap(({ content }) => tokensIn(content));
  const repeated = tokens.length - new Set(tokens).size;
  if (repeated > 0) find('duplicated', `${repeated} rows of output are recorded twice`);
}

/**
 * Checks the recorded output of a script. If the script was aborted, the recording must be a prefix of the
 * script's output, in whole rows. After the prefix, only error texts with the reason of the abort may follow,
 * which are not output of the script.
 */
function checkOutput({ exitCode, events }: SessionEvidence, script: Script, find: Find): void {
  const own = outputEvents(events);
  if (exitCode !== 0) while (own.length > 0 && isCause(own.at(-1))) own.pop();
  const recorded = textOf(own);
  const whole = outputOf(script);
  if (!whole.startsWith(recorded)) find('torn', 'the recorded output is not that of the script');
  else if (recorded !== '' && !recorded.endsWith('\n')) find('torn', 'the recorded output ends within a row');
  else if (exitCode === 0 && recorded !== whole)
    find('lost', `${recorded.length} of ${whole.length} characters of output are recorded`);
}

function checkAnswer({ events }: SessionEvidence, script: Script, answer: Answer, find: Find): void {
  // The message to a blocked client is not output of the script.
  if (answer.status === 'blocked' || answer.status === 'running') return;
  const recorded = Buffer.from(textOf(outputEvents(events)));
  if (sha256(recorded.subarray(0, answer.bytes)) !== answer.sha256)
    find('lost', `${answer.bytes} bytes of output were acknowledged, the recording does not hold them`);
  if (answer.status !== 'success') return;
  const whole = Buffer.from(outputOf(script));
  const told = answer.truncated ? whole.subarray(0, answer.bytes) : whole;
  if (sha256(told) !== answer.sha256) find('torn', 'the answer did not hold the output of the script');
}

function outputEvents(events: readonly RecordedEvent[]): RecordedEvent[] {
  return events.filter(({ type }) => type === 'o' || type === 'e');
}

function isCause(event: RecordedEvent | undefined): boolean {
  return event?.type === 'e' && markerIn(event.content) === undefined;
}

function textOf(events: readonly RecordedEvent[]): string {
  return events.map(({ content }) => content).join('');
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
