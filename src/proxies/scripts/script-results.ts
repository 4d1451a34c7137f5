import { EXIT_BLOCKED } from '../../gate/ports/session-end';
import type { Session } from '../../gate/session';
import type { ExecView } from './exec.dto';

export type ScriptResult = Omit<ExecView, 'execution_time'>;

/** Returns the result of a script while its outcome is not known yet. */
export function still(session: Session): ScriptResult {
  return {
    session_id: session.id,
    output: '',
    output_status: 'running',
    exit_code: null,
    truncated: false,
    results: [],
    has_review: false,
    review_id: null,
  };
}

export function blocked(session: Session, message: string): ScriptResult {
  return {
    ...still(session),
    output: message,
    output_status: 'blocked',
    exit_code: EXIT_BLOCKED,
    results: [{ kind: 'message', output: message, truncated: false }],
  };
}
