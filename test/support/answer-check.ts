import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { ROOT } from './root';

interface Described {
  readonly responses: Record<string, DescribedResponse>;
}

interface DescribedResponse {
  readonly $ref?: string;
  readonly headers?: Record<string, { $ref?: string; required?: boolean }>;
  readonly content?: Record<string, { schema?: object }>;
}

interface Description {
  readonly paths: Record<string, Record<string, Described>>;
}

/** One answer of the API. `body` is undefined if the test did not read it, or if it is not JSON. */
export interface SeenAnswer {
  readonly method: string;
  /** Path below the API prefix, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body?: unknown;
}

/**
 * Paths below the prefix that openapi.json does not describe: the description and its pages, pages for
 * people, OAuth and SCIM.
 */
const PAGES =
  /^\/(docs(\/.*)?|mcp-connect\/.*|oauth\/.*|pages\/(?:device|reviews\/[^/]+)|scim\/v2\/.*|openapi\.(json|yaml))$/i;

const NAME = 'openapi.json';
/** Keywords of OpenAPI 3.0.3 that check nothing. */
const ANNOTATIONS = ['example', 'xml', 'externalDocs', 'discriminator'];

/**
 * Compares answers with openapi.json, by the strictest reading of OpenAPI 3.0.3: null only where the type is
 * `nullable`; no undescribed status, content type or field; all required headers present.
 */
export class AnswerCheck {
  private readonly ajv = new Ajv({
    strict: true,
    strictRequired: false,
    allErrors: true,
    addUsedSchema: false,
    // Optimizing costs more than it saves, because a worker checks only a few answers with each schema.
    code: { optimize: false },
  });
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly description: Description;
  private readonly paths: readonly { template: string; pattern: RegExp }[];

  constructor(description: object = readDescription()) {
    this.description = closed(description) as Description;
    addFormats.default(this.ajv);
    for (const format of ['int32', 'int64']) this.ajv.addFormat(format, true);
    this.ajv.addVocabulary([...ANNOTATIONS, 'openapi', 'info', 'paths', 'components', 'servers', 'tags']);
    this.ajv.addSchema(this.description, NAME);
    // Sorts paths with fewer parameters first: `/guardrails/dry-run` before `/guardrails/{id}`.
    this.paths = Object.keys(this.description.paths)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((template) => ({
        template,
        pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      }));
  }

  /** The faults of the answer; empty if it conforms to the description. */
  faults(answer: SeenAnswer): string[] {
    if (PAGES.test(answer.path)) return [];
    const found = this.paths.find(({ pattern }) => pattern.test(answer.path));
    const method = (answer.method === 'HEAD' ? 'GET' : answer.method).toLowerCase();
    const operation = found && this.description.paths[found.template]?.[method];
    const faults =
      found === undefined || operation === undefined
        ? this.faultsOutside(answer)
        : this.faultsOf(answer, `paths/${escaped(found.template)}/${method}`, operation);
    return faults.map((fault) => `${answer.method} ${answer.path} ${answer.status}: ${fault}`);
  }

  /** Returns the faults of an answer without a described operation. The answer must be an error. */
  private faultsOutside({ method, status, body, headers }: SeenAnswer): string[] {
    // A preflight of a browser (Fetch standard) is no operation.
    if (method === 'OPTIONS' && status === 204 && headers.has('access-control-allow-methods')) return [];
    if (status < 400) return ['no operation is described here'];
    return body === undefined ? [] : this.faultsOfBody(body, 'components/schemas/ErrorBody');
  }

  private faultsOf(answer: SeenAnswer, pointer: string, { responses }: Described): string[] {
    const named = responses[answer.status];
    if (named === undefined) return ['the status is not described'];
    const response = this.resolve(named);
    const at = named.$ref?.slice(2) ?? `${pointer}/responses/${answer.status}`;
    return [...this.faultsOfHeaders(answer, response), ...this.faultsOfContent(answer, response, at)];
  }

  private faultsOfHeaders({ headers }: SeenAnswer, { headers: described = {} }: DescribedResponse): string[] {
    return Object.entries(described)
      .filter(([name, header]) => this.resolve(header).required === true && !headers.has(name))
      .map(([name]) => `the header ${name} is missing`);
  }

  private faultsOfContent(answer: SeenAnswer, { content = {} }: DescribedResponse, at: string): string[] {
    const type = answer.headers.get('content-type')?.split(';')[0];
    if (type === undefined) return [];
    const media = content[type];
    if (media === undefined) return [`the content type ${type} is not described`];
    if (answer.body === undefined || media.schema === undefined) return [];
    return this.faultsOfBody(answer.body, `${at}/content/${escaped(type)}/schema`);
  }

  private faultsOfBody(body: unknown, pointer: string): string[] {
    const known = this.compiled.get(pointer);
    const validate = known ?? this.ajv.compile({ $ref: `${NAME}#/${encodeURI(pointer)}` });
    this.compiled.set(pointer, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  private resolve<T extends { $ref?: string }>(node: T): T {
    if (node.$ref === undefined) return node;
    return node.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((within, key) => (within as Record<string, unknown>)[key], this.description) as T;
  }
}

function readDescription(): object {
  return JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as object;
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Closes object schemas, so that an undescribed field is a fault. The published schemas are open, so that
 * later versions may add fields.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isObject = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return isObject && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
}
