// A TCP proxy that imitates a distant server: it forwards bytes to another port after a delay in each
// direction. Arguments: own port, other port, delay in milliseconds.
import { connect, createServer } from 'node:net';

const [own, other, milliseconds] = process.argv.slice(2).map(Number);

const server = createServer({ noDelay: true, pauseOnConnect: true }, (client) => {
  // Delays the connection to the other port, because a TCP handshake takes one round trip.
  setTimeout(() => {
    const target = connect({ port: other, host: '127.0.0.1', noDelay: true });
    passOn(client, target);
    passOn(target, client);
    client.resume();
  }, 2 * milliseconds);
});

/**
 * Forwards data after the delay. Timers with the same delay fire in order, so the order of the bytes is kept.
 */
function passOn(from, to) {
  from.on('data', (chunk) => setTimeout(() => to.write(chunk), milliseconds));
  from.on('error', () => to.destroy());
  from.once('close', () => setTimeout(() => to.destroySoon(), milliseconds));
}

server.listen(own, '127.0.0.1', () => process.send('listens'));
