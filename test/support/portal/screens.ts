import ts from 'typescript';
import { nodesIn, portalSources } from './sources';

/** Every path of the portal's router, as its sources have it: `/reviews/$id`. */
export function routePaths(): readonly string[] {
  return (
    portalSources()
      .flatMap((source) => [...nodesIn(source)])
      .filter(ts.isCallExpression)
      .filter(({ expression }) => expression.getText() === 'createRoute')
      .flatMap(({ arguments: [options] }) =>
        options !== undefined && ts.isObjectLiteralExpression(options) ? options.properties : [],
      )
      .filter(ts.isPropertyAssignment)
      .filter(({ name }) => name.getText() === 'path')
      .map(({ initializer }) =>
        ts.isStringLiteralLike(initializer) ? initializer.text : initializer.getText(),
      )
      // Leaves out the route for unknown paths.
      .filter((path) => path !== '$')
      .sort()
  );
}
