/** Maximum length of the name of a person. The rest would hide the session in some logs. */
const MAX_NAME = 128;

/**
 * Returns the key id of a certificate, as the log of a server shows it. The name of a person comes from an
 * identity provider, and must not look like a session, or like the rest of the line: the log separates its
 * words by blanks, and marks them with quotes and parentheses.
 * @param session absent for a test of the connection
 */
export function certificateKeyId(person: string, session: string | undefined, connection: string): string {
  const name = person.replaceAll(/[\s"'()]/g, '_').slice(0, MAX_NAME);
  return `${name} ${session === undefined ? 'test' : `session ${session}`} connection ${connection}`;
}
