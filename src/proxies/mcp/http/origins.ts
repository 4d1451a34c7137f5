/**
 * Whether a web page of this origin may call the endpoint (2026-07-28, streamable HTTP, "Security &
 * Endpoint"). Without this check, any page could reach a gateway by DNS rebinding. Clients that are not web
 * pages send no `Origin`.
 * @param allowed origins such as `https://inspector.example.com`; `*` as port allows any port.
 */
export function isAllowedOrigin(
  origin: string | undefined,
  apiUrl: string,
  allowed: readonly string[],
): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const asked = new URL(origin);
  // Refuses `null`, opaque origins, and texts that contain more than an origin.
  if (asked.origin !== origin.toLowerCase() || asked.origin === 'null') return false;
  return [new URL(apiUrl).origin, ...allowed].some((one) => {
    if (!one.endsWith(':*')) return asked.origin === new URL(one).origin;
    const { protocol, hostname } = new URL(one.slice(0, -2));
    return asked.protocol === protocol && asked.hostname === hostname;
  });
}
