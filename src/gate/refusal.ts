/** Message for a failure of judging or recording: the gateway never forwards without either. */
export const FAULT_MESSAGE =
  'The gateway could not judge or record this, so it was refused. Please tell an administrator.';

/** Why an input was refused. `message` is for the person who sent it. */
export interface InputRefusal {
  readonly kind: 'refused';
  readonly reason: 'access' | 'guardrail' | 'fault';
  readonly message: string;
}

/** Nothing more of the stream may be delivered; `message` is delivered instead. */
export interface Blocked {
  readonly kind: 'blocked';
  readonly message: string;
}
