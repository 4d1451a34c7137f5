/** Fields from which the title of a request is made. */
export interface Titled {
  readonly connection: { readonly name: string };
  readonly call?: { readonly name: string } | null;
  readonly session_id: string | null;
}

export interface SessionTitle {
  readonly user_name: string;
  readonly user: string;
  readonly connection: string;
}

/** Approvals that a rule still needs before a request is approved. */
export interface MissingApproval {
  readonly rule: string;
  readonly approvals: number;
  readonly groups: readonly string[];
  readonly each_of: readonly string[];
  readonly one_of: readonly string[];
}
