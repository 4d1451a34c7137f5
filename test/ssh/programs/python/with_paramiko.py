"""Paramiko: commands, a shell, many channels, files."""

import stat

import paramiko
import way

client = paramiko.SSHClient()
client.load_host_keys(way.KNOWN_HOSTS)
client.connect(
    way.HOST,
    way.PORT,
    way.USER,
    way.PASSWORD,
    key_filename=way.KEY_FILE,
    allow_agent=False,
    look_for_keys=False,
)
seen = {}


def run(command, stdin=b"", timeout=60):
    sent, out, err = client.exec_command(command, timeout=timeout)
    sent.write(stdin)
    sent.flush()
    sent.channel.shutdown_write()
    output, errors = out.read(), err.read()
    return [out.channel.recv_exit_status(), output.decode("latin1"), errors.decode("latin1")]


seen["command"] = run("printf out; printf err >&2; exit 7")
seen["no command found"] = run("no-such-program-here 2>/dev/null")[0]
seen["signal"] = run("kill -TERM $$")
seen["bytes"] = run("printf '\\377\\000\\302'")
seen["input"] = run("cat | sha256sum", way.CONTENT)[1].split()[0] == way.sha256(way.CONTENT)
seen["large output"] = way.sha256(run("head -c 3000000 /dev/zero")[1].encode("latin1"))
# PATH and LANG differ between accounts: only one that nobody sets.
_, out, _ = client.exec_command("echo ${LC_TEST:-none}", environment={"LC_TEST": "set"})
seen["environment"] = out.read().decode()

channel = client.invoke_shell(term="vt100", width=100, height=30)
channel.settimeout(60)
channel.sendall(b"stty -echo; echo size=$(stty size) term=$TERM; exit 3\n")
shown = b""
while True:
    data = channel.recv(4_096)
    if not data:
        break
    shown += data
seen["shell"] = [b"size=30 100 term=vt100" in shown, channel.recv_exit_status()]

transport = client.get_transport()
channels = []
for number in range(way.CHANNELS):
    one = transport.open_session()
    one.exec_command(f"read line; echo $line; exit {number}")
    channels.append(one)
for number, one in enumerate(channels):
    one.sendall(f"line {number}\n".encode())
seen["channels"] = [[one.makefile().read().decode(), one.recv_exit_status()] for one in channels]

stream = transport.open_channel("direct-tcpip", ("127.0.0.1", way.ECHO_PORT), ("127.0.0.1", 0))
stream.sendall(b"there")
stream.shutdown_write()
seen["forward"] = stream.makefile().read().decode()

sftp = client.open_sftp()
up = way.write("up.bin", way.CONTENT)
seen["put"] = sftp.put(up, f"{way.REMOTE}/up.bin").st_size
sftp.get(f"{way.REMOTE}/up.bin", f"{way.LOCAL}/down.bin")
seen["get"] = way.sha256(way.read("down.bin"))
sftp.mkdir(f"{way.REMOTE}/sub", 0o750)
sftp.rename(f"{way.REMOTE}/up.bin", f"{way.REMOTE}/sub/moved ä.bin")
sftp.symlink("moved ä.bin", f"{way.REMOTE}/sub/link")
seen["list"] = sorted(sftp.listdir(f"{way.REMOTE}/sub"))
seen["link"] = sftp.readlink(f"{way.REMOTE}/sub/link")
seen["mode"] = oct(stat.S_IMODE(sftp.stat(f"{way.REMOTE}/sub").st_mode))
with sftp.open(f"{way.REMOTE}/sub/link", "rb") as file:
    file.seek(1_000_000)
    seen["part"] = len(file.read())
with sftp.open(f"{way.REMOTE}/text.txt", "a") as file:
    file.write("one\n")
    file.flush()
    seen["append"] = file.stat().st_size
with sftp.open(f"{way.REMOTE}/text.txt", "r+") as file:
    file.truncate(2)
seen["truncated"] = sftp.stat(f"{way.REMOTE}/text.txt").st_size
for name, step in {
    "missing": lambda: sftp.stat(f"{way.REMOTE}/missing"),
    "not empty": lambda: sftp.rmdir(f"{way.REMOTE}/sub"),
    "exists": lambda: sftp.mkdir(f"{way.REMOTE}/sub"),
}.items():
    try:
        step()
        seen[name] = "no error"
    except OSError as error:
        seen[name] = [type(error).__name__, str(error)]
for name in ["sub/link", "sub/moved ä.bin", "text.txt"]:
    sftp.remove(f"{way.REMOTE}/{name}")
sftp.rmdir(f"{way.REMOTE}/sub")
seen["left"] = sftp.listdir(way.REMOTE)
client.close()
way.tell({"paramiko": paramiko.__version__}, seen)
