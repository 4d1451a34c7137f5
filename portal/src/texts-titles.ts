/** What titles are made of. */
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
