import { ANY, type ShellFacts } from './facts/facts';
import { parseShell } from './parser';

function factsOf(text: string): ShellFacts {
  const parsed = parseShell(text);
  if (parsed.kind !== 'commands') throw new Error(parsed.reason);
  return parsed;
}

const shown = (words: readonly string[]): string => words.join(' ').replaceAll(ANY, '…');
const programsIn = (text: string): string[] =>
  factsOf(text).commands.map(({ program, args }) => shown([program, ...args]));
const hiddenIn = (text: string): string[] => [...new Set(factsOf(text).hidden.map(({ reason }) => reason))];

describe('the commands of a script', () => {
  it.each([
    ['rm -rf x; ls', ['rm -rf x', 'ls']],
    ['a && b || c | d & e', ['a', 'b', 'c', 'd', 'e']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['case $x in a|b) c;; (d) e;; *) f; esac', ['c', 'e', 'f']],
    ['for i in rm ls; do echo $i; done', ['echo …']],
    ['f() { rm x; }; f', ['rm x', 'f']],
    ['A=1 B=$(rm b) c >d', ['rm b', 'c']],
    ['echo "$(rm a)" `rm b` ${x:-$(rm c)} <(rm d)', ['rm a', 'rm c', 'rm d', 'echo … … … …', 'rm b']],
    ['sudo -u bob nice -n 5 rm x', ['sudo -u bob nice -n 5 rm x', 'nice -n 5 rm x', 'rm x']],
    ['find . -exec rm {} + -o -exec ls {} \\;', ['find . -exec rm {} + -o -exec ls {} ;', 'rm …', 'ls …']],
    ['echo x | xargs -n 1 rm -f', ['echo x', 'xargs -n 1 rm -f', 'rm -f …']],
    ["bash -lc 'rm x'", ['bash -lc rm x', 'rm x']],
    ['prlimit --nofile=5 rm x', ['prlimit --nofile=5 rm x', 'rm x']],
    ['i386 -R rm x', ['i386 -R rm x', 'rm x']],
    ['find a -exec env -u + rm {} \\;', ['find a -exec env -u + rm {} ;', 'env -u + rm …', 'rm …']],
    ["bash -oc posix 'rm x'", ['bash -oc posix rm x', 'rm x']],
    ['frob --run=rm ls', ['frob --run=rm ls', 'rm …', 'ls …']],
    ['sh <<E\nrm x\nE', ['sh', 'rm x']],
    ['trap "rm x" EXIT', ['trap rm x EXIT', 'rm x']],
    ['cat <<E\nrm x\n$(rm y)\nE', ['cat', 'rm y']],
    ["cat <<'E'\n$(rm y)\nE", ['cat']],
    ['echo "rm x" # rm y', ['echo rm x']],
    ['((i++)); [[ $a == rm ]]', ['i++']],
  ])('%j', (script, programs) => {
    const all = programsIn(script);
    for (const program of programs) expect(all).toContain(program);
    // dash reads `((` and `[[` as commands, which adds some.
    if (!script.includes('[[')) expect(all.toSorted()).toEqual(programs.toSorted());
  });

  it('are read as Bash reads them, and as dash does', () => {
    expect(programsIn('((rm x))')).toContain('rm x');
    expect(programsIn("echo $'\\'; rm x; #'")).toContain('rm x');
    expect(programsIn("echo $'\\' '; rm x; '\\''")).toContain('rm x');
    expect(programsIn('[[ a || rm x ]]')).toContain('rm x ]]');
    expect(programsIn('echo &>f rm x')).toEqual(expect.arrayContaining(['echo rm x', 'rm x']));
    expect(programsIn('{rm,-rf,x}')).toContain('rm -rf x');
  });

  it('stand where their text does; those in a text that is run, where it is run', () => {
    const script = `ls; sh -c 'rm x'`;
    const at = factsOf(script).commands.map(({ program, start, end }) => [program, script.slice(start, end)]);
    expect(at).toEqual([
      ['ls', 'ls'],
      ['sh', "sh -c 'rm x'"],
      ['rm', "sh -c 'rm x'"],
    ]);
  });

  it('write files by redirections', () => {
    const { writes } = factsOf('a >b 2>>c <d >&2 2>&1 >|e &>f {g}>h > "$x/i" > >(j) <<<k');
    expect(writes.map(({ path }) => shown([path]))).toEqual(
      expect.arrayContaining(['b', 'c', 'e', 'f', 'h', '…/i']),
    );
    expect(writes.map(({ path }) => path)).not.toContain('d');
  });

  it('may change the directory', () => {
    for (const script of ['cd x', 'pushd x', 'env -C x ls', 'sudo --chdir=x ls', "sh -c 'cd x'"])
      expect([script, factsOf(script).changesDirectory]).toEqual([script, true]);
    expect(factsOf('ls cd').changesDirectory).toBe(false);
  });
});

describe('what a script hides', () => {
  it.each([
    [
      'runs a program whose name is not in the text',
      ['$x', 'r$x', '$(echo rm) x', '/bin/r?', '"$@"', '~bob', '`a`'],
    ],
    [
      'runs a text that only the shell knows',
      ['eval "$x"', 'sh -c "rm $x"', 'trap "$x" EXIT', 'sh <<E\n$x\nE'],
    ],
    ['runs what another command writes', ['a | sh', 'sh', 'bash -i', 'sudo bash', 'sh < f', '. b | bash -s']],
    ['runs a script that is not in the text', ['sh f', 'bash ./f a', 'bash <(a)', 'xargs sh']],
    ['runs what a file says', ['. f', 'source f', 'make', 'npm run x', 'crontab', 'psql']],
    [
      'runs a file that its users may have written',
      ['./a', 'a/b', '/tmp/a', '~/a', '"$HOME/bin/a"', '/home/x/a'],
    ],
    ['runs code in a language that is not read', ['python3 -c 1', 'perl x', 'env node -e 1', 'php8.2 f']],
    ['opens a program from which others can be run', ['vim f', 'less f', 'sudo -u a ed']],
    ['runs commands on another machine', ['ssh h ls', 'sshpass -p x ssh h']],
    [
      'runs a script that is not read',
      ['sed e', 'sed s/a/b/e f', 'sed "s/a/$b/" f', 'sed -f f', "awk 'BEGIN{system(1)}'", 'awk -f f'],
    ],
    [
      'changes where programs are found',
      [
        'PATH=. ls',
        'command export PATH=.',
        'sudo PATH=. ls',
        'export PATH=$HOME/bin:$PATH',
        'env PATH=/tmp ls',
        'unset PATH',
        'read PATH',
      ],
    ],
    [
      'sets a variable that makes programs run others',
      ['LD_PRELOAD=x ls', 'export BASH_ENV=x', 'PAGER=x man', 'for ENV in a; do b; done'],
    ],
    ['keeps a text with commands in a variable', ["a='$(b)'", "PS4='`b`'", "export a='$(b)'"]],
    [
      'has a subscript with commands in it',
      ["test -v 'a[$(b)]'", "let 'a[`b`]=1'", "read a <<'E'\nx[$(b)]\nE"],
    ],
    ['defines an alias, which changes how later text is read', ['alias a=b', 'alias "$x"']],
    [
      'puts a program where shells find it',
      ['a > /usr/local/bin/b', 'cp a /usr/local/bin', 'curl -o /bin/x y', 'ln -t /bin a', 'b | tee /sbin/c'],
    ],
    [
      'runs a file that it may have written',
      ['cp a /opt/b; /opt/b', 'echo a > /opt/b; /srv/../opt/b', 'cd /opt; curl -o /x/b c; /opt/b'],
    ],
    ['runs a shell whose language is not read', ['zsh -c ls', 'ksh93 -c ls']],
    [
      'has an expansion that shells read in different ways',
      ['echo ${ ls; }', 'echo ${|ls;}', 'echo $((a) | b)'],
    ],
    ['opens a shell or an editor', ['su', 'sudo -i', 'sudo -e f', 'chroot /x', 'runuser bob']],
    [
      'has an option that runs another program',
      ['git -c a.b=c pull', 'tar --checkpoint-action=x', 'hash -p a b', 'nc -e sh h 1', 'set -H'],
    ],
    ['expands the text in a variable, with the commands in it', ['echo "${x@P}"']],
    [
      'has an unquoted expansion that may be several arguments, of which one is a program',
      ['nice -n $x a', 'xargs -n $x a', 'env A=$x b', 'awk -v $x 1', 'x=5; nice -n $x a', 'nice -n /x* a'],
    ],
    [
      'has an argument that may be an option which runs a program',
      [
        'sed p "$x"',
        'sed p *',
        'x=-e; sed p "$x"',
        'find $x',
        'find "$a" "$b" c \\;',
        'tar cf a "$1"',
        'x=; sed p "$x$y"',
      ],
    ],
    [
      'runs a shell with options that are not known',
      ['bash -norc', 'bash -O $x -c ls', 'sh -o "$x"', 'sh -Z'],
    ],
    [
      'runs a command behind options that are not known',
      ['nice -x a', 'xargs --x a', 'watch --foo a', 'env --split=a', 'su --x'],
    ],
    [
      'uses variables whose names are not in the text',
      ['read "$x"', 'unset $x', '[[ -v $x ]]', 'printf -v "$x" a', '[ -v "$x" ]', 'let "$x"', 'mapfile "$x"'],
    ],
    ['runs an alias, or a command of git that is not known', ['git x', 'git merge-index a', 'git "$x"']],
    [
      'changes a setting of git that is not known to run nothing',
      ['git config diff.external a', 'git config --add "$x" y', 'git config user.name !a'],
    ],
  ])('%s', (reason, scripts) => {
    for (const script of scripts)
      expect([script, hiddenIn(script)]).toEqual([script, expect.arrayContaining([reason])]);
  });

  it.each([
    ["a '", 'cannot be parsed: it ends inside a quote'],
    ['a $(b', 'cannot be parsed: it ends inside a substitution'],
    ['(a', 'cannot be parsed: it ends inside a block'],
    ['a (b', 'cannot be parsed: it has a parenthesis where none may be'],
    ['a )', 'cannot be parsed: it has a parenthesis that closes nothing'],
    ['a >', 'cannot be parsed: it redirects to nothing'],
    ['[[ a; b ]]', 'cannot be parsed: it has a command in a condition'],
  ])('and what no shell reads: %j', (script, reason) => {
    expect(hiddenIn(script)).toContain(reason);
  });

  it('is nothing in what can be read', () => {
    for (const script of [
      'ls "$x" *.log',
      'python3 --version',
      'sed -i "s/a/b/g" f',
      "awk '$1 > 5 || /a|b/ {print $2}' f",
      'PATH=/usr/bin:$PATH ls',
      'env PATH=/usr/bin:$PATH sudo /opt/app/bin/ctl restart',
      'cp /usr/local/bin/a /backup/a; ls /opt/app/x; /opt/app/x',
      'tar -I zstd -cf a b',
      'rsync -e "ssh -p 22" a b',
      'git -C /srv commit -m "x"',
      'psql -c "select 1"',
      'command -v sh',
      'a=(1 2); echo "${a[@]}" $((1 + 2)) {1..3}',
      'nice -n "$x" ls; nice -n $((1 + 2)) ls; sudo -u $USER ls',
      'f=/srv/a; sed p "$f"; for g in a b; do sed p "$g"; done; sed p -- "$x"',
      'find "$x" -name a -delete; find "$1" -exec ls {} +',
      'timeout --sig=KILL 5 ls; nice --adj 5 ls; tar -cIzstd -f a b',
      'git config --global user.name x; git grep -n a',
    ])
      expect([script, hiddenIn(script)]).toEqual([script, []]);
  });
});
