/** The person, action and connection that the page is about. They are stored in its address. */
export interface Question {
  readonly user?: string;
  readonly connection?: string;
  readonly verb?: 'exec' | 'connect';
}

export function questionIn({ user, connection, verb }: Record<string, unknown>): Question {
  return {
    ...(typeof user === 'string' && user !== '' ? { user } : {}),
    ...(typeof connection === 'string' && connection !== '' ? { connection } : {}),
    ...(verb === 'connect' || verb === 'exec' ? { verb } : {}),
  };
}
