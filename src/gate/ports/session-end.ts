/** Exit code for inputs that the gateway blocked, and for its own failures. */
export const EXIT_BLOCKED = 254;

/** Abort reason of `SessionTrail.ended` when the session cannot be recorded any further and must stop. */
export class RecordingFailed extends Error {
  constructor() {
    super('The session could not be recorded any further.');
  }
}
