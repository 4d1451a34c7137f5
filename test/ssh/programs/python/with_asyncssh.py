"""AsyncSSH: commands, a shell, many channels, files by SFTP and SCP."""

import asyncio
import stat

import asyncssh
import way


async def run(connection, command, stdin=b""):
    done = await connection.run(command, input=stdin, encoding=None)
    return [done.returncode, done.stdout.decode("latin1"), done.stderr.decode("latin1")]


async def failed(step):
    try:
        await step
        return "no error"
    except asyncssh.SFTPError as error:
        return [type(error).__name__, error.reason]


async def commands(connection, seen):
    seen["command"] = await run(connection, "printf out; printf err >&2; exit 7")
    seen["signal"] = await run(connection, "kill -TERM $$")
    seen["bytes"] = await run(connection, "printf '\\377\\000\\302'")
    summed = await run(connection, "cat | sha256sum", way.CONTENT)
    seen["input"] = summed[1].split()[0] == way.sha256(way.CONTENT)
    large = await run(connection, "head -c 3000000 /dev/zero")
    seen["large output"] = way.sha256(large[1].encode("latin1"))
    async with connection.create_process(term_type="vt100", term_size=(100, 30)) as process:
        process.stdin.write("stty -echo; echo size=$(stty size) term=$TERM; exit 3\n")
        shown = await process.stdout.read()
        await process.wait()
        seen["shell"] = ["size=30 100 term=vt100" in shown, process.exit_status]
    all_at_once = [run(connection, f"read line; echo $line; exit {number}", f"{number}\n".encode()) for number in range(way.CHANNELS)]
    seen["channels"] = await asyncio.gather(*all_at_once)
    # A program that is ended by a signal of its client. sshd passes none on to programs of root.
    async with connection.create_process("echo begun; exec sleep 30") as process:
        await process.stdout.readline()
        process.terminate()
        await process.wait()
        seen["sent signal"] = [process.exit_status, (process.exit_signal or [""])[0]]
    reader, writer = await connection.open_connection("127.0.0.1", way.ECHO_PORT, encoding="utf-8")
    writer.write("there")
    writer.write_eof()
    seen["forward"] = await reader.read()
    async with await connection.forward_remote_port("127.0.0.1", 0, "127.0.0.1", way.ECHO_PORT) as listener:
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.get_port())
        writer.write(b"back")
        writer.write_eof()
        seen["reverse"] = (await reader.read()).decode()
        writer.close()
    try:
        await connection.open_connection("127.0.0.1", 1)
    except asyncssh.ChannelOpenError as error:
        seen["refused forward"] = error.code


async def files(connection, seen):
    up = way.write("up.bin", way.CONTENT)
    async with connection.start_sftp_client() as sftp:
        seen["version"] = sftp.version
        await sftp.put(up, f"{way.REMOTE}/up.bin")
        await sftp.get(f"{way.REMOTE}/up.bin", f"{way.LOCAL}/down.bin")
        seen["get"] = way.sha256(way.read("down.bin"))
        await sftp.mkdir(f"{way.REMOTE}/sub")
        await sftp.posix_rename(f"{way.REMOTE}/up.bin", f"{way.REMOTE}/sub/moved ä.bin")
        await sftp.symlink("moved ä.bin", f"{way.REMOTE}/sub/link")
        await sftp.link(f"{way.REMOTE}/sub/moved ä.bin", f"{way.REMOTE}/sub/hard")
        seen["list"] = sorted(name for name in await sftp.listdir(f"{way.REMOTE}/sub") if name not in ".,..".split(","))
        seen["link"] = await sftp.readlink(f"{way.REMOTE}/sub/link")
        seen["glob"] = [name.replace(way.REMOTE, "REMOTE") for name in await sftp.glob(f"{way.REMOTE}/sub/mov*")]
        await sftp.chmod(f"{way.REMOTE}/sub/hard", 0o600)
        seen["mode"] = oct(stat.S_IMODE((await sftp.stat(f"{way.REMOTE}/sub/hard")).permissions))
        seen["space"] = (await sftp.statvfs(way.REMOTE)).bsize > 0
        async with sftp.open(f"{way.REMOTE}/sub/hard", "rb") as file:
            seen["part"] = len(await file.read(-1, 1_000_000))
            await file.fsync()
        seen["missing"] = await failed(sftp.stat(f"{way.REMOTE}/missing"))
        seen["not empty"] = await failed(sftp.rmdir(f"{way.REMOTE}/sub"))
        await asyncio.gather(*(sftp.get(f"{way.REMOTE}/sub/hard", f"{way.LOCAL}/{number}") for number in range(4)))
        seen["at once"] = [way.sha256(way.read(str(number))) for number in range(4)]
        await sftp.rmtree(f"{way.REMOTE}/sub")
        seen["left"] = [name for name in await sftp.listdir(way.REMOTE) if name not in ".,..".split(",")]
    await asyncssh.scp(up, (connection, f"{way.REMOTE}/scp.bin"))
    await asyncssh.scp((connection, f"{way.REMOTE}/scp.bin"), f"{way.LOCAL}/scp.bin")
    seen["scp"] = way.sha256(way.read("scp.bin"))
    await run(connection, f"rm {way.REMOTE}/scp.bin")


async def main():
    seen = {}
    async with asyncssh.connect(
        way.HOST,
        way.PORT,
        username=way.USER,
        password=way.PASSWORD,
        client_keys=[way.KEY_FILE] if way.KEY_FILE else None,
        known_hosts=way.KNOWN_HOSTS,
        config=None,
        agent_path=None,
    ) as connection:
        await commands(connection, seen)
        await files(connection, seen)
    way.tell({"asyncssh": asyncssh.__version__}, seen)


asyncio.run(main())
