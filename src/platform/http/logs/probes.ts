/** Whether a path is that of a probe of load balancers. A resource may have the name of a probe. */
export function isProbe(path: string, prefix: string): boolean {
  return path === `${prefix}/healthz` || path === `${prefix}/readyz`;
}
