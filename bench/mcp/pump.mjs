// The baseline: the cost of an HTTP proxy in Node.js that inspects nothing. It forwards each request and its
// answer piece by piece. Started by fork() with the port of the MCP server.
import { Agent, createServer, request } from 'node:http';
import { pipeline } from 'node:stream';

const port = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const server = createServer((fromClient, toClient) => {
  const { method, url: path, headers } = fromClient;
  const toServer = request({ agent, host: '127.0.0.1', port, method, path, headers }, (fromServer) => {
    // The load generator disconnects at the end of a round.
    if (toClient.destroyed) return void fromServer.destroy();
    toClient.writeHead(fromServer.statusCode, fromServer.headers);
    pipeline(fromServer, toClient, () => undefined);
  });
  pipeline(fromClient, toServer, (error) => {
    if (error) toClient.destroy();
  });
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
