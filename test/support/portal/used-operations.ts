import ts from 'typescript';
import { nodesIn } from './sources';

/** A request that the portal can make. */
export interface PortalRequest {
  readonly method: string;
  /** The path as in the API description: `/sessions/{session_id}`. In addresses, each parameter is `{}`. */
  readonly path: string;
  readonly file: string;
}

const HOOKS = new Set(['queryOptions', 'useQuery', 'useSuspenseQuery', 'useInfiniteQuery', 'useMutation']);
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Returns the requests in a source file of the portal: by the generated client and its hooks, and addresses
 * that begin with `API` (links, event streams, downloads).
 */
export function requestsIn(source: ts.SourceFile): PortalRequest[] {
  return [...nodesIn(source)].flatMap((node) => {
    const found = ts.isCallExpression(node) ? byClient(node) : addressOf(node);
    return found === undefined ? [] : [{ ...found, file: source.fileName }];
  });
}

function byClient({
  expression,
  arguments: given,
}: ts.CallExpression): Omit<PortalRequest, 'file'> | undefined {
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const of = expression.expression.getText();
  const name = expression.name.text;
  const texts = given.map((one) => (ts.isStringLiteralLike(one) ? one.text : ''));
  if (of === 'requests' && METHODS.has(name)) return { method: name, path: texts[0] ?? '' };
  if (of === 'api' && HOOKS.has(name))
    return { method: (texts[0] ?? '').toUpperCase(), path: texts[1] ?? '' };
  return undefined;
}

function addressOf(node: ts.Node): Omit<PortalRequest, 'file'> | undefined {
  if (!ts.isTemplateExpression(node) || node.templateSpans[0]?.expression.getText() !== 'API')
    return undefined;
  const [first, ...others] = node.templateSpans;
  const path = `${first?.literal.text ?? ''}${others.map(({ literal }) => `{}${literal.text}`).join('')}`;
  return { method: 'GET', path: path.split('?')[0] ?? '' };
}

/** Returns a request whose parameters have no names, to compare it with paths of the API description. */
export const pattern = (method: string, path: string): string =>
  `${method} ${path.replaceAll(/\{\w*\}/g, '{}')}`;
