import { z } from 'zod';
import { flag, list, origin, wholeNumber } from './values';

/** The environment variables of signing in, and of the portal; see `variables.ts`. */
export const signInVariables = {
  LOGIN_REDIRECTS: list
    .pipe(z.array(z.string().regex(origin, 'must be origins such as https://portal.example.com')))
    .default([])
    .describe(
      'Further origins allowed in `/login?redirect=`, comma-separated; `*` as port allows any port. The origin of `API_URL` and `http://127.0.0.1:*` are always allowed.',
    ),
  LOGINS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(60)
    .describe(
      'Calls of `/login` and `/callback` per minute allowed from one network address; as many to sign MCP clients in, to fetch tokens, and to register.',
    ),
  FAILED_CREDENTIALS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(60)
    .describe(
      'Bad credentials per minute allowed from one network address, and for one name or token from there; more get 429. Good credentials are accepted.',
    ),
  PORTAL: flag
    .default(true)
    .describe('`false`: the portal is not served; `/` leads to the documentation of the API.'),
  PORTAL_IDLE_MINUTES: wholeNumber(1, 1_440)
    .default(60)
    .describe(
      'A sign-in at the portal ends after this time without a request that somebody made: a page that nobody touches keeps none.',
    ),
};
