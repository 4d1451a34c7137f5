/** Names of the doctor's checks. */
export type CheckName =
  | 'version'
  | 'settings'
  | 'addresses'
  | 'ports'
  | 'tls'
  | 'secret files'
  | 'database'
  | 'replica'
  | 'migrations'
  | 'change feed'
  | 'secret key'
  | 'journal'
  | 'archive'
  | 'identity provider'
  | 'targets'
  | 'organization';

/** One line of the doctor: what it found, and what to do about it. It contains no secret. */
export interface Diagnosis {
  readonly check: CheckName;
  /**
   * `fault`: the gateway would not start, or not work. `warning`: it works, but something is probably a
   * mistake.
   */
  readonly state: 'ok' | 'warning' | 'fault';
  /** Finding, in one sentence. */
  readonly message: string;
  /** Advice in one sentence; absent where nothing is to be done. */
  readonly advice?: string;
}

/** Creates diagnoses of one check in the three states. */
export class Reporter {
  constructor(private readonly check: CheckName) {}

  ok(message: string): Diagnosis {
    return { check: this.check, state: 'ok', message };
  }

  warning(message: string, advice: string): Diagnosis {
    return { check: this.check, state: 'warning', message, advice };
  }

  fault(message: string, advice: string): Diagnosis {
    return { check: this.check, state: 'fault', message, advice };
  }
}
