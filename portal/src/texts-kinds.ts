/** Words for scripts in one language. */
interface ScriptWords {
  /** Name of a text in the language. */
  readonly script: string;
  /** Name of the action, and of the page where it happens. */
  readonly run: string;
}

const SCRIPTS: Readonly<Record<string, ScriptWords>> = {
  postgresql: { script: 'SQL', run: 'Run SQL' },
  shell: { script: 'Shell script', run: 'Run a shell script' },
};

/** Words for scripts whose language is not known, or that may be in several. */
const ANY_SCRIPT: ScriptWords = { script: 'Script', run: 'Run scripts' };

const CLIENTS: Readonly<Record<string, string>> = { postgresql: 'psql', ssh: 'ssh' };

/** Texts that depend on the kind of a connection. */
export const kindTexts = {
  /** @param language `language` of the connection's kind; undefined while it is not known */
  scriptsIn: (language: string | undefined): ScriptWords =>
    (language === undefined ? undefined : SCRIPTS[language]) ?? ANY_SCRIPT,
  /** Name of the program for a protocol that people use at a terminal. */
  clientOf: (protocol: string): string => CLIENTS[protocol] ?? protocol,
  /** Whether the portal opens terminals at such targets. */
  hasTerminal: (protocol: string): boolean => protocol === 'ssh',
  /** Whether the portal shows the files of such targets. */
  hasFiles: (protocol: string): boolean => protocol === 'ssh',
  /** Line for a terminal that starts the program. */
  clientLine: (protocol: string, connectionString: string): string => {
    const program = CLIENTS[protocol];
    return program === undefined ? connectionString : `${program} '${connectionString}'`;
  },
} as const;
