/**
 * A shell whose way of reading is followed. Bash and dash read some texts differently: `((rm x))` is
 * arithmetic for bash and runs `rm` in dash. A text is read as both, because a server may have either as
 * `sh`.
 */
export type Dialect = 'bash' | 'dash';

export const DIALECTS: readonly Dialect[] = ['bash', 'dash'];
