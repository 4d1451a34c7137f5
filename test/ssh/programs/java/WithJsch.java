import com.jcraft.jsch.ChannelExec;
import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.ChannelShell;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.Session;
import com.jcraft.jsch.SftpException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSch: commands, a shell, many channels, files. */
public final class WithJsch {
  private static final String REMOTE = System.getenv("WAY_REMOTE");
  private static final Map<String, Object> SEEN = new LinkedHashMap<>();

  public static void main(String[] args) {
    try {
      look();
      System.exit(0);
    } catch (Exception error) {
      error.printStackTrace();
      // The threads of a session would keep the program alive.
      System.exit(1);
    }
  }

  private static void look() throws Exception {
    JSch jsch = new JSch();
    jsch.setKnownHosts(System.getenv("WAY_KNOWN_HOSTS"));
    if (System.getenv("WAY_KEY_FILE") != null) jsch.addIdentity(System.getenv("WAY_KEY_FILE"));
    Session session =
        jsch.getSession(
            System.getenv("WAY_USER"), "127.0.0.1", Integer.parseInt(System.getenv("WAY_PORT")));
    session.setPassword(System.getenv("WAY_PASSWORD"));
    session.setConfig("server_host_key", "ssh-ed25519");
    session.connect(60_000);
    byte[] content = "0123456789abcdef".repeat(64_000).getBytes(StandardCharsets.US_ASCII);
    SEEN.put("command", run(session, "printf out; printf err >&2; exit 7", new byte[0]));
    SEEN.put("signal", run(session, "kill -TERM $$", new byte[0]));
    SEEN.put("input", run(session, "cat | sha256sum", content).get(1).startsWith(sum(content)));
    SEEN.put("large output", sum(run(session, "head -c 3000000 /dev/zero", new byte[0]).get(1).getBytes()));
    SEEN.put("shell", shell(session));
    SEEN.put("channels", channels(session));
    files(session, content);
    SEEN.put("forward", forward(session));
    session.disconnect();
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("versions", Map.of("jsch", JSch.VERSION));
    told.put("seen", SEEN);
    System.out.println(json(told));
  }

  /** Runs a command. Returns its exit code, output and error output. */
  private static List<String> run(Session session, String command, byte[] input) throws Exception {
    return started(session, command, input).ended();
  }

  /** A command that runs. */
  private record Running(ChannelExec channel, ByteArrayOutputStream out, ByteArrayOutputStream errors) {
    List<String> ended() throws InterruptedException {
      while (!channel.isClosed()) Thread.sleep(10);
      channel.disconnect();
      String code = String.valueOf(channel.getExitStatus());
      return List.of(code, out.toString(), errors.toString());
    }
  }

  private static Running started(Session session, String command, byte[] input) throws Exception {
    ChannelExec channel = (ChannelExec) session.openChannel("exec");
    Running running = new Running(channel, new ByteArrayOutputStream(), new ByteArrayOutputStream());
    channel.setCommand(command);
    channel.setInputStream(new ByteArrayInputStream(input));
    channel.setOutputStream(running.out());
    channel.setErrStream(running.errors());
    channel.connect(60_000);
    return running;
  }

  private static Object shell(Session session) throws Exception {
    ChannelShell channel = (ChannelShell) session.openChannel("shell");
    channel.setPtyType("vt100", 100, 30, 0, 0);
    channel.setInputStream(
        new ByteArrayInputStream(
            "stty -echo; echo size=$(stty size) term=$TERM; exit 3\n".getBytes()), true);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    channel.setOutputStream(out);
    channel.connect(60_000);
    while (!channel.isClosed()) Thread.sleep(10);
    return List.of(out.toString().contains("size=30 100 term=vt100"), channel.getExitStatus());
  }

  private static Object channels(Session session) throws Exception {
    List<Running> all = new ArrayList<>();
    int count = Integer.parseInt(System.getenv("WAY_CHANNELS"));
    for (int number = 0; number < count; number++)
      all.add(started(session, "read line; echo $line; exit " + number, ("line " + number + "\n").getBytes()));
    List<Object> ends = new ArrayList<>();
    for (Running running : all) ends.add(running.ended());
    return ends;
  }

  private static Object forward(Session session) throws Exception {
    int echo = Integer.parseInt(System.getenv("WAY_ECHO_PORT"));
    int port = session.setPortForwardingL("127.0.0.1", 0, "127.0.0.1", echo);
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write("there".getBytes());
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes());
    }
  }

  private static void files(Session session, byte[] content) throws Exception {
    ChannelSftp sftp = (ChannelSftp) session.openChannel("sftp");
    sftp.connect(60_000);
    sftp.put(new ByteArrayInputStream(content), REMOTE + "/up.bin");
    try (InputStream down = sftp.get(REMOTE + "/up.bin")) {
      SEEN.put("get", sum(down.readAllBytes()));
    }
    sftp.mkdir(REMOTE + "/sub");
    sftp.rename(REMOTE + "/up.bin", REMOTE + "/sub/moved ä.bin");
    sftp.symlink("moved ä.bin", REMOTE + "/sub/link");
    sftp.hardlink(REMOTE + "/sub/moved ä.bin", REMOTE + "/sub/hard");
    sftp.chmod(0600, REMOTE + "/sub/hard");
    List<String> names = new ArrayList<>();
    for (ChannelSftp.LsEntry entry : sftp.ls(REMOTE + "/sub"))
      if (!entry.getFilename().startsWith("."))
        names.add(entry.getAttrs().getPermissionsString() + " " + entry.getFilename());
    names.sort(null);
    SEEN.put("list", names);
    SEEN.put("link", sftp.readlink(REMOTE + "/sub/link"));
    SEEN.put("space", sftp.statVFS(REMOTE).getBlockSize() > 0);
    SEEN.put("missing", refusal(() -> sftp.stat(REMOTE + "/missing")));
    SEEN.put("not empty", refusal(() -> sftp.rmdir(REMOTE + "/sub")));
    for (String name : List.of("hard", "link", "moved ä.bin")) sftp.rm(REMOTE + "/sub/" + name);
    sftp.rmdir(REMOTE + "/sub");
    SEEN.put("left", sftp.ls(REMOTE).stream().filter(entry -> !entry.getFilename().startsWith(".")).count());
    sftp.exit();
  }

  private interface Step {
    void run() throws SftpException;
  }

  private static Object refusal(Step step) {
    try {
      step.run();
      return "no error";
    } catch (SftpException error) {
      return List.of(error.id, error.getMessage());
    }
  }

  private static String sum(byte[] data) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
  }

  private static String json(Object value) {
    if (value instanceof Map<?, ?> map) {
      List<String> fields = new ArrayList<>();
      map.forEach((name, field) -> fields.add(json(name) + ":" + json(field)));
      return "{" + String.join(",", fields) + "}";
    }
    if (value instanceof List<?> list)
      return "[" + String.join(",", list.stream().map(WithJsch::json).toList()) + "]";
    if (value instanceof Number || value instanceof Boolean) return value.toString();
    String text = value.toString().replace("\\", "\\\\").replace("\"", "\\\"");
    return "\"" + text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t").replace("\0", "\\u0000") + "\"";
  }
}
