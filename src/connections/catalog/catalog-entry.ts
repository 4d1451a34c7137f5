import { z } from 'zod';

const MODES = ['none', 'static', 'oauth'] as const;

/** Schema of a catalog entry: a publicly hosted remote MCP server (specification, section 2.1). */
const entry = z
  .strictObject({
    name: z.string().min(1),
    description: z.string(),
    url: z.url({ protocol: /^https$/ }),
    transport: z.enum(['streamable-http', 'sse']),
    auth: z.enum(MODES),
    auth_modes: z.array(z.enum(MODES)).nonempty(),
    header: z.string(),
    notes: z.string(),
  })
  .refine((it) => it.auth_modes[0] === it.auth, 'auth_modes must begin with auth')
  .refine((it) => new Set(it.auth_modes).size === it.auth_modes.length, 'auth_modes must not repeat')
  .refine(
    (it) => it.auth_modes.includes('static') === /^[A-Za-z0-9-]+: .+$/.test(it.header),
    'header must be set exactly when auth_modes contains static',
  );

export type CatalogEntry = z.output<typeof entry>;

/** @throws Error that lists every fault; the gateway does not start with an invalid catalog. */
export function checkCatalog(data: unknown): CatalogEntry[] {
  const parsed = z.array(entry).safeParse(data);
  if (!parsed.success) throw new Error(`the MCP catalog is invalid:\n${z.prettifyError(parsed.error)}`);
  const names = parsed.data.map((it) => it.name);
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length > 0) throw new Error(`the MCP catalog repeats ${repeated.join(', ')}`);
  return parsed.data.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
