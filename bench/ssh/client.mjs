// A client of SSH in a process of its own, started by fork(). Receives what to do, sends back what it found.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import ssh2 from 'ssh2';

const [{ what, count, port, user, password, keyFile }] = await once(process, 'message');
const TERMINAL = { term: 'vt100', cols: 80, rows: 24 };

async function signedIn() {
  const client = new ssh2.Client();
  client.connect({
    host: '127.0.0.1',
    port,
    username: user,
    readyTimeout: 120_000,
    ...(password === undefined ? { privateKey: readFileSync(keyFile) } : { password }),
  });
  await once(client, 'ready');
  return client;
}

const opened = (open) =>
  new Promise((resolve, reject) => open((error, channel) => (error ? reject(error) : resolve(channel))));

async function measured(times, work) {
  const took = [];
  for (let done = 0; done < times; done += 1) {
    const began = performance.now();
    await work();
    took.push(performance.now() - began);
  }
  return took;
}

/** Runs `true` again and again on one connection, each in a channel of its own. */
async function commands() {
  const client = await signedIn();
  const took = await measured(count, async () => {
    const channel = await opened((done) => client.exec('true', done));
    channel.stderr.resume();
    await once(channel.resume(), 'close');
  });
  client.end();
  return took;
}

/** Types one key after another into a program that shows each. */
async function keystrokes() {
  const client = await signedIn();
  const shell = await opened((done) =>
    client.exec('stty raw -echo; echo ready; cat', { pty: TERMINAL }, done),
  );
  let shown = '';
  shell.on('data', (bytes) => (shown += bytes));
  while (!shown.includes('ready\n')) await once(shell, 'data');
  const took = await measured(count, async () => {
    const echoed = once(shell, 'data');
    shell.write('x');
    await echoed;
  });
  client.end();
  return took;
}

/** Opens shells, each over a connection of its own, which wait until this process gets a message. */
async function shells() {
  const clients = [];
  for (let opening = 0; opening < count; opening += 1) {
    const client = await signedIn();
    const shell = await opened((done) => client.shell(TERMINAL, done));
    await once(shell, 'data');
    shell.resume();
    clients.push(client);
  }
  process.send('open');
  await once(process, 'message');
  await Promise.all(clients.map((client) => (client.end(), once(client, 'close'))));
  return [];
}

const found = await { commands, keystrokes, shells }[what]();
process.send(found, () => process.disconnect());
