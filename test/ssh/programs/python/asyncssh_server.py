"""A server of AsyncSSH that runs commands and shells as the account of the tests: port, host key, user keys."""

import asyncio
import fcntl
import os
import signal
import struct
import sys
import termios

import asyncssh

PORT, HOST_KEY, AUTHORIZED = int(sys.argv[1]), sys.argv[2], sys.argv[3]


async def copied(source, target, at_end):
    """Copies until the end of the source, or until nobody reads."""
    try:
        while data := await source.read(32_768):
            target.write(data)
            await target.drain()
    except (OSError, asyncssh.Error):
        pass
    at_end()


async def with_pipes(process, command):
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
    sending = asyncio.ensure_future(copied(process.stdin, child.stdin, child.stdin.close))
    reading = [copied(child.stdout, process.stdout, lambda: None), copied(child.stderr, process.stderr, lambda: None)]
    return child, sending, reading


async def with_terminal(process, command):
    main, side = os.openpty()
    columns, rows, _, _ = process.get_terminal_size()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {**os.environ, "TERM": process.get_terminal_type()}
    child = await asyncio.create_subprocess_exec(
        *command, stdin=side, stdout=side, stderr=side, start_new_session=True, env=environment
    )
    os.close(side)
    loop = asyncio.get_running_loop()
    shown = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(shown), os.fdopen(os.dup(main), "rb", 0))

    async def typed():
        while data := await process.stdin.read(4_096):
            os.write(main, data)

    return child, asyncio.ensure_future(typed()), [copied(shown, process.stdout, lambda: None)]


async def handle(process):
    command = ["/bin/sh", "-c", process.command] if process.command else ["/bin/sh"]
    start = with_pipes if process.get_terminal_type() is None else with_terminal
    child, sending, reading = await start(process, command)

    async def left():
        await process.wait_closed()
        if child.returncode is None:
            child.kill()

    leaving = asyncio.ensure_future(left())
    await asyncio.gather(*reading)
    code = await child.wait()
    leaving.cancel()
    sending.cancel()
    if code < 0:
        process.exit_with_signal(signal.Signals(-code).name.removeprefix("SIG"))
    else:
        process.exit(code)


class Server(asyncssh.SSHServer):
    """Lets clients forward ports both ways."""

    def connection_requested(self, dest_host, dest_port, orig_host, orig_port):
        return True

    def server_requested(self, listen_host, listen_port):
        return True


async def main():
    await asyncssh.create_server(
        Server,
        "127.0.0.1",
        PORT,
        server_host_keys=[HOST_KEY],
        authorized_client_keys=AUTHORIZED,
        process_factory=handle,
        sftp_factory=True,
        allow_scp=True,
        encoding=None,
    )
    await asyncio.Event().wait()


asyncio.run(main())
