import { AppError } from '../../kernel/app-error';
import { quotedName } from './dto/fault-message';

/** Maximum number of parameters; far more than any route has. */
const MAX_PARAMETERS = 100;

/**
 * Checks the query string of a request before anything reads it.
 * @throws AppError `malformed` for too many parameters, for a parameter that is unknown or has no value, and
 * for bytes that are not UTF-8
 */
export function checkQuery(url: string, known: ReadonlySet<string> | undefined): void {
  const start = url.indexOf('?');
  if (start === -1 || known === undefined) return;
  const pairs = url.slice(start + 1).split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS)
    throw new AppError('malformed', `the request has more than ${MAX_PARAMETERS} query parameters`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const [name = '', value] = pair.split(/=(.*)/s).map(decoded);
    if (!known.has(name)) throw new AppError('malformed', `unknown query parameter ${quotedName(name)}`);
    if (value === undefined || value === '')
      throw new AppError('malformed', `the query parameter ${name} has no value`);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new AppError('malformed', 'the query string is not UTF-8 in percent-encoding');
  }
}
