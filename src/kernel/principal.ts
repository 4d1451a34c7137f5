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
   * What the person allowed the MCP client that acts here; absent everywhere else. It ends what the client
   * has open when it ends.
   */
  readonly authorizationId?: string;
}
