/** A principal's role in the control plane; it follows from groups (contract, "Who may do what"). */
export type Role = 'admin' | 'auditor' | 'regular';

/**
 * The actor: a signed-in person or a machine. Always an explicit argument, never ambient state.
 */
export interface Principal {
  readonly orgId: string;
  /** The gateway's own id of the user's row (uuid). */
  readonly userId: string;
  /** The identity provider's `sub`; the main identifier (specification, section 5.4). */
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  readonly groups: readonly string[];
  readonly role: Role;
  readonly identityType: 'user' | 'machine';
  /**
   * The person's authorization of the MCP client that sent the request; absent for all other requests. When
   * the authorization ends, the client's open sessions end.
   */
  readonly authorizationId?: string;
  /**
   * Id of the registered public key by which the person signed in over SSH; absent for all other sign-ins.
   * When the key is removed, the sessions that it opened end.
   */
  readonly publicKeyId?: string;
}
