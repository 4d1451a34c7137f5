import { normalizedName } from '../../../kernel/text/names';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The credential or connection that the user name of a client names. */
export type NamedByUser =
  /** An issued credential, and the connection that the client named before it, if any. */
  | { readonly kind: 'credential'; readonly id: string; readonly connection: string | undefined }
  /** A connection, by its name or id. The password is a token or an API key. */
  | { readonly kind: 'connection'; readonly name: string };

/**
 * Reads a user name: `<id of a credential>`, `<connection>+<id of a credential>`, or the name or id of a
 * connection. A connection's own id is read as the id of a credential: its name is used instead.
 */
export function readUserName(user: string): NamedByUser {
  const at = user.lastIndexOf('+');
  const id = user.slice(at + 1);
  if (!UUID.test(id)) return { kind: 'connection', name: normalizedName(user) };
  const connection = at === -1 ? undefined : normalizedName(user.slice(0, at));
  return { kind: 'credential', id: id.toLowerCase(), connection };
}
