import type { Environment } from '../platform/config/variables';

/** Whether development services must be started. False in production: `readEnvironment` throws before. */
export function needsDevelopmentServices(environment: Environment): boolean {
  const { DATABASE_URL, IDP_ISSUER, SECRET_KEY } = environment;
  return DATABASE_URL === undefined || IDP_ISSUER === undefined || SECRET_KEY === undefined;
}
