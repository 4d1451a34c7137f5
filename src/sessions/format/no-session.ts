import { AppError } from '../../kernel/app-error';

/** Error: there is no such session, or its row is gone, or the principal must not know that it exists. */
export class NoSession extends AppError {
  constructor() {
    super('not_found', 'there is no session with this id');
  }
}

/** Returns a row of a session that was read by its id. @throws NoSession */
export function mustExist<T>(row: T | null | undefined): T {
  if (row === null || row === undefined) throw new NoSession();
  return row;
}
