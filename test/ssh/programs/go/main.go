// golang.org/x/crypto/ssh and github.com/pkg/sftp: commands, a shell, many channels, files.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

var (
	remote  = os.Getenv("WAY_REMOTE")
	content = bytes.Repeat([]byte("0123456789abcdef"), 64_000)
	seen    = map[string]any{}
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func sum(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

func signIn() ssh.AuthMethod {
	if file := os.Getenv("WAY_KEY_FILE"); file != "" {
		return ssh.PublicKeys(must(ssh.ParsePrivateKey(must(os.ReadFile(file)))))
	}
	return ssh.Password(os.Getenv("WAY_PASSWORD"))
}

// run returns the exit code, or the signal, and the output and error output of a command.
func run(client *ssh.Client, command string, input io.Reader) []any {
	session := must(client.NewSession())
	defer session.Close()
	var out, errs bytes.Buffer
	session.Stdin, session.Stdout, session.Stderr = input, &out, &errs
	return append(ended(session.Run(command)), out.String(), errs.String())
}

func ended(err error) []any {
	var exit *ssh.ExitError
	if errors.As(err, &exit) {
		return []any{exit.ExitStatus(), exit.Signal()}
	}
	check(err)
	return []any{0, ""}
}

func shell(client *ssh.Client) []any {
	session := must(client.NewSession())
	defer session.Close()
	check(session.RequestPty("vt100", 30, 100, ssh.TerminalModes{}))
	var out bytes.Buffer
	session.Stdout = &out
	input := must(session.StdinPipe())
	check(session.Shell())
	must(io.WriteString(input, "stty -echo; echo size=$(stty size) term=$TERM; exit 3\n"))
	return append(ended(session.Wait()), strings.Contains(out.String(), "size=30 100 term=vt100"))
}

func channels(client *ssh.Client) []any {
	all := make([]any, must(strconv.Atoi(os.Getenv("WAY_CHANNELS"))))
	var group sync.WaitGroup
	for number := range all {
		group.Go(func() {
			input := strings.NewReader(fmt.Sprintf("line %d\n", number))
			all[number] = run(client, fmt.Sprintf("read line; echo $line; exit %d", number), input)
		})
	}
	group.Wait()
	return all
}

func forwards(client *ssh.Client) {
	echo := "127.0.0.1:" + os.Getenv("WAY_ECHO_PORT")
	seen["forward"] = exchange(must(client.Dial("tcp", echo)), "there")
	listener := must(client.Listen("tcp", "127.0.0.1:0"))
	go func() {
		stream := must(listener.Accept())
		must(io.Copy(stream, stream))
		check(stream.Close())
	}()
	seen["reverse"] = exchange(must(net.Dial("tcp", listener.Addr().String())), "back")
	seen["cancel"] = fmt.Sprint(listener.Close())
	_, err := client.Dial("tcp", "127.0.0.1:1")
	var refused *ssh.OpenChannelError
	if errors.As(err, &refused) {
		seen["refused forward"] = refused.Reason.String()
	}
}

// exchange sends a word and the end, and returns what comes back.
func exchange(stream net.Conn, word string) string {
	must(io.WriteString(stream, word))
	check(stream.(interface{ CloseWrite() error }).CloseWrite())
	return string(must(io.ReadAll(stream)))
}

func files(client *ssh.Client) {
	files := must(sftp.NewClient(client))
	defer files.Close()
	up := must(files.Create(remote + "/up.bin"))
	seen["put"] = must(up.ReadFrom(bytes.NewReader(content)))
	check(up.Close())
	down := must(files.Open(remote + "/up.bin"))
	var got bytes.Buffer
	must(down.WriteTo(&got))
	check(down.Close())
	seen["get"] = sum(got.Bytes())
	check(files.Mkdir(remote + "/sub"))
	check(files.PosixRename(remote+"/up.bin", remote+"/sub/moved ä.bin"))
	check(files.Symlink("moved ä.bin", remote+"/sub/link"))
	check(files.Link(remote+"/sub/moved ä.bin", remote+"/sub/hard"))
	check(files.Chmod(remote+"/sub/hard", 0o600))
	var names []string
	for _, entry := range must(files.ReadDir(remote + "/sub")) {
		names = append(names, entry.Name()+" "+entry.Mode().Perm().String())
	}
	sort.Strings(names)
	seen["list"] = names
	seen["link"] = must(files.ReadLink(remote + "/sub/link"))
	seen["space"] = must(files.StatVFS(remote)).Bsize > 0
	for name, step := range map[string]error{
		"missing":   second(files.Stat(remote + "/missing")),
		"not empty": files.RemoveDirectory(remote + "/sub"),
	} {
		seen[name] = fmt.Sprint(step)
	}
	check(files.RemoveAll(remote + "/sub"))
	seen["left"] = len(must(files.ReadDir(remote)))
}

func second[T any](_ T, err error) error { return err }

func main() {
	client := must(ssh.Dial("tcp", "127.0.0.1:"+os.Getenv("WAY_PORT"), &ssh.ClientConfig{
		User:              os.Getenv("WAY_USER"),
		Auth:              []ssh.AuthMethod{signIn()},
		HostKeyCallback:   must(knownhosts.New(os.Getenv("WAY_KNOWN_HOSTS"))),
		HostKeyAlgorithms: []string{ssh.KeyAlgoED25519},
	}))
	none := strings.NewReader("")
	seen["command"] = run(client, "printf out; printf err >&2; exit 7", none)
	seen["signal"] = run(client, "kill -TERM $$", none)
	input := run(client, "cat | sha256sum", bytes.NewReader(content))
	seen["input"] = strings.HasPrefix(input[2].(string), sum(content))
	seen["large output"] = sum([]byte(run(client, "head -c 3000000 /dev/zero", none)[2].(string)))
	seen["shell"] = shell(client)
	seen["channels"] = channels(client)
	forwards(client)
	_, _, err := client.SendRequest("keepalive@openssh.com", true, nil)
	seen["keepalive"] = fmt.Sprint(err)
	files(client)
	check(client.Close())
	versions := map[string]string{}
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		versions[module.Path] = module.Version
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{"versions": versions, "seen": seen}))
}
