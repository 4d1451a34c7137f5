import type { Components } from './parts';

type Headers = NonNullable<Components['headers']>;

const text = (description: string, example: string, required = true): Headers[string] => ({
  description,
  required,
  schema: { type: 'string', example },
});

/** All headers of answers. Headers with `required` are always present. */
export const headers = {
  'x-request-id': text(
    'Identifies the request in the logs; an id sent by the caller is kept.',
    '0b5a6e3c-1f5e-4c51-9d67-2f1f6a7c9d10',
  ),
  ETag: text('The version of the resource, for `If-Match`.', '"3"'),
  Location: text(
    'URL of the created resource.',
    'https://gateway.example.com/api/guardrails/0b5a6e3c-1f5e-4c51-9d67-2f1f6a7c9d10',
  ),
  'Content-Disposition': text('The name of the file.', 'attachment; filename="pg-prod.csv"', false),
  'WWW-Authenticate': text('How to sign in (RFC 6750).', 'Bearer'),
  Allow: text('The methods that the path supports.', 'GET, HEAD, POST'),
  'Retry-After': {
    description: 'Seconds after which to try again.',
    required: false,
    schema: { type: 'integer', minimum: 0, maximum: 86_400, example: 30 },
  },
} satisfies Headers;

export type HeaderName = keyof typeof headers;

export function headerReferences(names: readonly HeaderName[]): Headers {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
