// A worker that answers on two ports with its process id, or fails in a way that a test selects.
const { createServer } = require('node:net');

const die = () => process.kill(process.pid, 'SIGKILL');

process.once('message', ({ task }) => {
  if (task.fault === 'says why')
    process.send({ kind: 'failed', why: 'The port is taken.' }, () => process.exit(1));
  else if (task.fault === 'dies') die();
  else serve(task, [...task.ports]);
});

function serve(task, [port, ...others]) {
  if (port === undefined) return serving(task);
  const server = createServer((socket) => socket.end(`${process.pid} ${Buffer.isBuffer(task.key)}`));
  server.listen(port, '127.0.0.1', () => serve(task, others));
}

function serving({ fault }) {
  process.on('SIGTERM', () => {
    if (fault !== 'is deaf') process.exit(fault === 'stops badly' ? 1 : 0);
  });
  process.send({ kind: 'serving' }, () => {
    // Blocks the event loop forever, so the worker accepts no more connections.
    if (fault === 'is stuck') for (;;);
  });
  if (fault === 'dies later') setTimeout(die, 50);
}
