/** Said when judging or recording failed: the gateway never goes on without either. */
export const FAULT_MESSAGE =
  'The gateway could not judge or record this, so it was refused. Please tell an administrator.';

/** Why an input does not go on. `message` is for the person who sent it. */
export interface InputRefusal {
  readonly kind: 'refused';
  readonly reason: 'access' | 'guardrail' | 'fault';
  readonly message: string;
}

/** Nothing of the stream may be delivered any more; `message` goes to the person in its place. */
export interface Blocked {
  readonly kind: 'blocked';
  readonly message: string;
}
