/** Exit code of what the gateway itself blocked or broke. */
export const EXIT_BLOCKED = 254;

/** Why `ended` aborts when nobody asked for it: what happened could not be recorded, so nothing more may happen. */
export class RecordingFailed extends Error {
  constructor() {
    super('The session could not be recorded any further.');
  }
}
