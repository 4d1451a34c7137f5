// A target that admits every client and then answers nothing. A real server starts a process for each client,
// so the bench would measure a thousand processes. Started by fork(); sends its port.
import { createServer } from 'node:net';

const SSL_REQUEST = 80_877_103;

function message(type, ...parts) {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const parameter = (name, value) => message('S', Buffer.from(`${name}\0${value}\0`));
const GREETING = Buffer.concat([
  message('R', Buffer.alloc(4)),
  parameter('server_version', '18.0'),
  parameter('client_encoding', 'UTF8'),
  parameter('standard_conforming_strings', 'on'),
  message('K', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1])),
  message('Z', Buffer.from('I')),
]);

const server = createServer({ noDelay: true }, (client) => {
  client.on('error', () => undefined);
  client.on('data', (bytes) => {
    if (bytes.length >= 8 && bytes.readUInt32BE(4) === SSL_REQUEST) client.write('N');
    // A start-up message begins with its length (first byte 0), a Terminate message with a letter.
    else if (bytes[0] === 0) client.write(GREETING);
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }, () => process.send(server.address().port));
