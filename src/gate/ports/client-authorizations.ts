/** Port: reports which authorizations of MCP clients have ended (`Principal.authorizationId`). */
export abstract class ClientAuthorizations {
  /**
   * Registers a listener. It is called with the id of each authorization that ends, at any gateway. It is
   * called without an id when changes may have been missed, because then any authorization may have ended.
   */
  abstract onEnded(listener: (id: string | undefined) => void): void;

  /** Returns the given ids whose authorizations have ended. */
  abstract ended(ids: readonly string[]): Promise<readonly string[]>;
}
