import { ANY } from '../reading/word';
import { type Argument, isKnown, meansOption } from './arguments';
import type { CodeArguments, CodeReader } from './code-reader';
import { type Doubt, type OptionSpec, hasOption, mayBeOption, readArguments, valuesOf } from './options';

const OPTION = 'has an option that runs another program';

/** A remote shell for `rsync -e` that runs nothing here. */
const PLAIN_SSH = /^ssh(?: -[46ATaqx]+| -[pil] ?[\w@./:~-]+| -o ?(?!\w*command)\w+=[\w@./:~-]+)*$/i;

/** Letters of options of tar with a value. */
const TAR_VALUED = 'bCfFgHIKLNTVX';
const TAR_RUNS = [
  '--checkpoint-action',
  '--to-command',
  '--rmt-command',
  '--rsh-command',
  '--info-script',
  '--new-volume-script',
];
const TAR_COMPRESS = '--use-compress-program';
/** With these options, no line of a list of files is an option. */
const TAR_VERBATIM = ['--null', '--verbatim-files-from'];

/** Reads the arguments of tar from left to right. */
class TarArguments {
  private readonly texts: Argument[] = [];
  private readonly doubts: Doubt[] = [];
  private runs = false;
  private hasList = false;
  private at = 0;

  constructor(private readonly args: readonly Argument[]) {}

  read(): CodeArguments {
    const { args } = this;
    const first = args[0]?.text ?? '';
    // The first argument may be letters without a dash.
    if (/^[A-Za-z0-9]+$/.test(first)) {
      this.at = 1;
      for (const letter of first) if (TAR_VALUED.includes(letter)) this.take(letter, this.next());
    }
    for (; this.at < args.length && args[this.at]!.text !== '--';) this.readOne(args[this.at]!);
    const isVerbatim = args.some(({ text }) => meansOption(text, TAR_VERBATIM));
    const hides = this.runs || (this.hasList && !isVerbatim) ? OPTION : undefined;
    return { texts: this.texts, hides, doubts: this.doubts };
  }

  private readOne(word: Argument): void {
    const { text, splits } = word;
    this.at += 1;
    if (mayBeOption(word)) this.doubts.push({ kind: 'option', word });
    if (text.startsWith('--')) return this.readLong(text, splits);
    if (!text.startsWith('-')) return;
    for (let index = 1; index < text.length; index += 1) {
      const letter = text.charAt(index);
      if (letter === ANY) this.runs = true;
      if (!TAR_VALUED.includes(letter)) continue;
      const rest = text.slice(index + 1);
      return this.take(letter, rest === '' ? this.next() : { text: rest, splits });
    }
  }

  private readLong(text: string, splits: boolean): void {
    if (text.split('=', 1)[0]!.includes(ANY) || meansOption(text, TAR_RUNS)) this.runs = true;
    if (meansOption(text, ['--files-from'])) this.hasList = true;
    if (!meansOption(text, [TAR_COMPRESS])) return;
    const equals = text.indexOf('=');
    this.take('I', equals === -1 ? this.next() : { text: text.slice(equals + 1), splits });
  }

  private next(): Argument | undefined {
    const word = this.args[this.at];
    this.at += 1;
    if (word?.splits === true) this.doubts.push({ kind: 'several', word });
    return word;
  }

  private take(letter: string, value: Argument | undefined): void {
    if (letter === 'I' && value !== undefined) this.texts.push(value);
    if (letter === 'F') this.runs = true;
    if (letter === 'T') this.hasList = true;
  }
}

/** Reads the arguments of rsync: the remote shell in `-e`, also after other letters. */
function ofRsync(args: readonly Argument[]): CodeArguments {
  const texts = args.flatMap((word, at): Argument[] => {
    const { text, splits } = word;
    const rest = /^-[A-DF-Za-df-z0-9]*e(.*)$/s.exec(text)?.[1] ?? /^--rsh=(.*)$/s.exec(text)?.[1];
    if (rest === '' || text === '--rsh') return args.slice(at + 1, at + 2);
    return rest === undefined ? [] : [{ text: rest, splits }];
  });
  const runs = args.some(({ text }) =>
    /^--(?:rsync-path|daemon|config)|^-[^-]*M|^--remote-option/.test(text),
  );
  return {
    texts: texts.filter((value) => !(isKnown(value) && PLAIN_SSH.test(value.text))),
    hides: runs ? OPTION : undefined,
    doubts: optionDoubts(args),
  };
}

/** Returns a doubt for each argument before `--` of which only the shell knows whether it is an option. */
export function optionDoubts(args: readonly Argument[]): Doubt[] {
  const end = args.findIndex(({ text }) => text === '--');
  const before = end === -1 ? args : args.slice(0, end);
  return before.filter(mayBeOption).map((word) => ({ kind: 'option', word }));
}

/** Matches an option of ssh with which it runs a program. */
const RUNS_PROGRAM = /command|provider|include|^match/i;

/** Returns a reader for a program that copies by `ssh`, and hands options to it. */
function copies(spec: OptionSpec, runs: string): CodeReader {
  return (args) => {
    const read = readArguments({ ...spec, permutes: true }, args);
    const isHarmless = valuesOf(read, 'o').every((value) => isKnown(value) && !RUNS_PROGRAM.test(value.text));
    const hides = read.hasUnknown || !isHarmless || hasOption(read, ...runs) ? OPTION : undefined;
    return { hides, doubts: read.doubts };
  };
}

const INSTALL: OptionSpec = {
  valued: 'gmotSZ',
  flags: 'bBcCdDpsTv',
  longValued: 'group mode owner suffix target-directory strip-program context',
  longFlags:
    'backup compare directory preserve-timestamps strip no-target-directory verbose preserve-context debug',
  permutes: true,
};

/** Other programs with options that run programs, which `programHides` knows. */
const HAVE_OPTIONS =
  'wget zip cpio sdiff apt apt-get gcc g++ cc c++ cpp clang rclone restic borg helm fd rg rpm';
const doubtful: CodeReader = (args) => ({ doubts: optionDoubts(args) });

/** Actions of dpkg that only look, after which no option has an effect. */
const DPKG_LOOKS =
  /^(?:-[lLsSpVI]|--(?:compare-versions|list|listfiles|status|search|verify|print-.+|get-selections|info))$/;

/** Programs that pack, install and copy files. */
export const ARCHIVE_READERS: Readonly<Record<string, CodeReader>> = {
  ...Object.fromEntries(HAVE_OPTIONS.split(' ').map((name) => [name, doubtful])),
  dpkg: (args) => (args.some(({ text }) => DPKG_LOOKS.test(text)) ? {} : doubtful(args)),
  tar: (args) => new TarArguments(args).read(),
  gtar: (args) => new TarArguments(args).read(),
  bsdtar: (args) => new TarArguments(args).read(),
  rsync: ofRsync,
  scp: copies({ valued: 'cDFiJloPSX', flags: '346ABCOpqRrTv' }, 'SFD'),
  sftp: copies({ valued: 'BbcDFiJloPRSsX', flags: '46AaCfNpqrv' }, 'SFDb'),
  install: (args) => ({ texts: valuesOf(readArguments(INSTALL, args), 'strip-program') }),
};
