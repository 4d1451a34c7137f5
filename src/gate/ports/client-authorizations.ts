/** Port: what people allowed MCP clients. `Principal.authorizationId` names one. */
export abstract class ClientAuthorizations {
  /**
   * Calls when an authorization ended, at whichever gateway; without an id after changes may have been
   * missed, when any may have ended.
   */
  abstract onEnded(listener: (id: string | undefined) => void): void;

  /** Ids of the given authorizations that ended. */
  abstract ended(ids: readonly string[]): Promise<readonly string[]>;
}
