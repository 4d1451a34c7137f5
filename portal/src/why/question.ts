/** A person, an action and a connection. The address of the page keeps them. */
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
