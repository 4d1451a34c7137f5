// For comparison: a bare Express handler with default settings that answers with given bytes. Started by
// fork() with { path: body }.
import express from 'express';

process.once('message', (bodies) => {
  const app = express();
  app.disable('x-powered-by');
  for (const [path, text] of Object.entries(bodies)) {
    const body = Buffer.from(text);
    app.get(path, (_request, response) => {
      response.type('application/json').send(body);
    });
  }
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.once('disconnect', () => process.exit());
