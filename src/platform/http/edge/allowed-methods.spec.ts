import express from 'express';
import { reliedOn } from '../../../../test/support/relied-on';
import { allowedMethods } from './allowed-methods';

const relied = reliedOn('express', 'src/platform/http/edge/allowed-methods.ts');

describe('the methods that a path can be called with', () => {
  const app = express();
  const nothing = (): void => undefined;
  app.use('/api', nothing);
  app.get('/api/things/:id', nothing);
  app.put('/api/things/:id', nothing);
  app.get('/api/things/:id', nothing);
  app.post('/api/things', nothing);
  app.post('/api/things/of-words', nothing);
  app.route('/{*path}').all(nothing);
  const at = (originalUrl: string) => allowedMethods({ app, originalUrl });

  it.each([
    ['/api/things/7', ['GET', 'HEAD', 'PUT']],
    ['/api/things/7?a=/api/things', ['GET', 'HEAD', 'PUT']],
    ['/api/things', ['POST']],
    ['/api/things/of-words', ['POST']],
    ['/api/Things/OF-words/', ['POST']],
    ['/api/nothing', []],
    ['/api/things/%ff', []],
    ['/', []],
  ])('of %s, as the router keeps them', (path, methods) => {
    relied(
      `router.stack, layer.match(), layer.route.methods, layer.route.path, for ${path}`,
      at(path),
      methods,
    );
  });
});
