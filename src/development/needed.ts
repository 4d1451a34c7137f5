import type { Environment } from '../platform/config/variables';

/** Always false in production, because `readEnvironment` throws there without the real services. */
export function needsDevelopmentServices(environment: Environment): boolean {
  const { DATABASE_URL, IDP_ISSUER, SECRET_KEY } = environment;
  return DATABASE_URL === undefined || IDP_ISSUER === undefined || SECRET_KEY === undefined;
}
