/** Exit code for inputs that the gateway blocked, and for its own failures. */
export const EXIT_BLOCKED = 254;

/** The reason of `ended` when the session cannot be recorded any further, so that nothing more may happen. */
export class RecordingFailed extends Error {
  constructor() {
    super('The session could not be recorded any further.');
  }
}
