import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Command, DESCRIPTION, type Workshop, versions } from './workshop';
import { ROOT } from '../support/root';

const AXIOS = '1.19.0';

/** Path of the library from Debian's package libnewtonsoft-json5.0-cil. */
const NEWTONSOFT = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';

const isInstalled = (program: string) => `command -v ${program}`;

/** Shell commands that check whether each tool is installed. */
export const probes = {
  /** Version 1.85 or later, because the client programs in `journeys` use async closures. */
  cargo: "cargo --version 2> /dev/null | grep -E '^cargo 1\\.(8[5-9]|9[0-9]|[1-9][0-9]{2})\\.'",
  go: isInstalled('go'),
  java: isInstalled('java'),
  javac: isInstalled('javac'),
  mvn: isInstalled('mvn'),
  python3: "python3 -c 'import ensurepip, venv'",
  /** Version 1.11 or later, because of write-only arguments. OpenTofu is accepted too. */
  terraform:
    "for it in terraform tofu; do $it version 2> /dev/null | head -n 1 | grep -E ' v1\\.(1[1-9]|[2-9][0-9])\\.' > /dev/null && command -v $it && exit; done; false",
  mcs: isInstalled('mcs'),
  mono: isInstalled('mono'),
  'Newtonsoft.Json': `test -e ${NEWTONSOFT}`,
} as const;

/** A generated client: the tools that it needs, and the steps that generate and build it. */
export interface GeneratedClient {
  /** Folder of the client's journey (the program that uses the client), in `journeys` and in the workshop. */
  readonly folder: string;
  readonly tools: readonly (keyof typeof probes)[];
  /** Whether the client is tried only with `TEST_VOLUME=long`: its dependencies take minutes to build. */
  readonly isLong?: boolean;
  /** Returns the command that runs the journey; undefined if the client is only generated or compiled. */
  build(workshop: Workshop): Promise<Command | undefined>;
}

function java(name: string, library: string): GeneratedClient {
  return {
    folder: name,
    tools: ['java', 'javac', 'mvn'],
    build: async (workshop) => {
      await workshop.generate(name, 'generated', 'java', '--library', library);
      workshop.copyJourney('java');
      const copy = ['dependency:copy-dependencies', '-DoutputDirectory=lib'];
      await workshop.maven(copy, `${name}/generated`);
      const classes = ['classes', 'generated/lib/*'].join(delimiter);
      const sources = ['generated/src/main/java', '../java', '.'].join(delimiter);
      const compile = ['-nowarn', '-proc:none', '-d', 'classes', '-cp', classes, '-sourcepath', sources];
      // Compiles every class of the client, not only the classes that the journey uses.
      const all = await workshop.run(['find', 'generated/src/main/java', '-name', '*.java'], name);
      writeFileSync(join(workshop.folder, name, 'sources'), all);
      await workshop.run(
        ['javac', '-J-Xmx1g', ...compile, '@sources', '../java/Journey.java', 'Library.java'],
        name,
      );
      return ['java', '-cp', classes, 'Journey'];
    },
  };
}

function typescript(name: string, dependencies: readonly string[]): GeneratedClient {
  return {
    folder: name,
    tools: ['java', 'mvn'],
    build: async (workshop) => {
      await workshop.generate(name, 'generated', name);
      if (dependencies.length > 0) {
        const install: Command = ['npm', 'install', '--no-audit', '--no-fund', '--no-save', ...dependencies];
        await workshop.run(install, name);
      }
      mkdirSync(join(workshop.folder, name, 'node_modules', '@types'), { recursive: true });
      const types = join('node_modules', '@types', 'node');
      symlinkSync(join(ROOT, types), join(workshop.folder, name, types));
      await workshop.run([process.execPath, require.resolve('typescript/bin/tsc'), '-p', '.'], name);
      return [process.execPath, 'compiled/journey.js'];
    },
  };
}

/** Builds a Rust client. Both Rust clients share their compiled dependencies. */
async function rust(workshop: Workshop, within: string): Promise<Command> {
  await workshop.run(['cargo', 'build', '--quiet', '--target-dir', '../rust-target'], within);
  return [join(workshop.folder, 'rust-target', 'debug', `${within}-journey`)];
}

async function python(workshop: Workshop, within: string, ...requirements: string[]): Promise<string> {
  await workshop.run(['python3', '-m', 'venv', 'environment'], within);
  const program = join(workshop.folder, within, 'environment', 'bin', 'python');
  await workshop.run([program, '-m', 'pip', 'install', '-q', ...requirements], within);
  return program;
}

export const clients: Readonly<Record<string, GeneratedClient>> = {
  'openapi-generator, java native': java('java-native', 'native'),
  'openapi-generator, java okhttp-gson': java('java-okhttp', 'okhttp-gson'),
  'openapi-generator, go': {
    folder: 'go',
    tools: ['java', 'mvn', 'go'],
    build: async (workshop) => {
      await workshop.generate('go', 'client', 'go', '--additional-properties=withGoMod=false');
      const module = 'github.com/access-gateway/client';
      writeFileSync(join(workshop.folder, 'go', 'client', 'go.mod'), `module ${module}\n\ngo 1.23\n`);
      writeFileSync(
        join(workshop.folder, 'go', 'go.mod'),
        `module journey\n\ngo 1.23\n\nrequire ${module} v0.0.0\n\nreplace ${module} => ./client\n`,
      );
      // The tests of the generated client need modules that nothing else needs.
      await workshop.run(['rm', '-rf', 'client/test'], 'go');
      await workshop.run(['go', 'mod', 'tidy'], 'go/client');
      await workshop.run(['go', 'build', './...'], 'go/client');
      await workshop.run(['go', 'mod', 'tidy'], 'go');
      await workshop.run(['go', 'build', '-o', 'journey', '.'], 'go');
      return ['./journey'];
    },
  },
  'oapi-codegen, go': {
    folder: 'oapi-codegen',
    tools: ['go'],
    build: async (workshop) => {
      workshop.copyJourney('oapi-codegen');
      mkdirSync(join(workshop.folder, 'oapi-codegen', 'gateway'));
      writeFileSync(join(workshop.folder, 'oapi-codegen', 'go.mod'), 'module journey\n\ngo 1.24\n');
      const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${versions['oapi-codegen']}`;
      const options = ['-generate', 'types,client', '-package', 'gateway', '-o', 'gateway/gateway.go'];
      await workshop.run(['go', 'run', generator, ...options, DESCRIPTION], 'oapi-codegen');
      await workshop.run(['go', 'mod', 'tidy'], 'oapi-codegen');
      await workshop.run(['go', 'build', '-o', 'journey', '.'], 'oapi-codegen');
      return ['./journey'];
    },
  },
  'openapi-generator, rust': {
    folder: 'rust',
    tools: ['java', 'mvn', 'cargo'],
    isLong: true,
    build: async (workshop) => {
      await workshop.generate('rust', 'client', 'rust', '--additional-properties=packageName=gateway_client');
      return await rust(workshop, 'rust');
    },
  },
  'progenitor, rust': {
    folder: 'progenitor',
    tools: ['cargo'],
    isLong: true,
    build: async (workshop) => {
      workshop.copyJourney('progenitor');
      // A macro of progenitor generates the client while the journey is compiled.
      cpSync(DESCRIPTION, join(workshop.folder, 'progenitor', 'openapi.json'));
      return await rust(workshop, 'progenitor');
    },
  },
  'openapi-generator, python': {
    folder: 'python',
    tools: ['java', 'mvn', 'python3'],
    build: async (workshop) => {
      await workshop.generate('python', 'generated', 'python');
      renameSync(
        join(workshop.folder, 'python/generated/openapi_client'),
        join(workshop.folder, 'python/openapi_client'),
      );
      const requirements = join(workshop.folder, 'python/generated/requirements.txt');
      return [await python(workshop, 'python', '-r', requirements), 'journey.py'];
    },
  },
  'openapi-python-client': {
    folder: 'openapi-python-client',
    tools: ['python3'],
    build: async (workshop) => {
      workshop.copyJourney('openapi-python-client');
      const requirement = `openapi-python-client==${versions['openapi-python-client']}`;
      const program = await python(workshop, 'openapi-python-client', requirement);
      const options = ['--path', DESCRIPTION, '--meta', 'none', '--output-path', 'gateway_client'];
      const generate: Command = [program, '-m', 'openapi_python_client', 'generate', ...options];
      await workshop.run(generate, 'openapi-python-client');
      return [program, 'journey.py'];
    },
  },
  'openapi-generator, typescript-fetch': typescript('typescript-fetch', []),
  'openapi-generator, typescript-axios': typescript('typescript-axios', [`axios@${AXIOS}`]),
  'openapi-generator, csharp httpclient': {
    folder: 'csharp',
    tools: ['java', 'mvn', 'mcs', 'mono', 'Newtonsoft.Json'],
    build: async (workshop) => {
      const properties = 'targetFramework=net48,supportsRetry=false';
      const options = ['--library', 'httpclient', `--additional-properties=${properties}`];
      await workshop.generate('csharp', 'generated', 'csharp', ...options);
      const folder = join(workshop.folder, 'csharp');
      const sources = readdirSync(join(folder, 'generated', 'src', 'Org.OpenAPITools'), { recursive: true })
        .map((name) => join(folder, 'generated', 'src', 'Org.OpenAPITools', String(name)))
        .filter((name) => name.endsWith('.cs'));
      for (const source of sources) withoutNamingStrategy(source);
      cpSync(NEWTONSOFT, join(folder, 'Newtonsoft.Json.dll'));
      const references = ['System.Net.Http', 'System.ComponentModel.DataAnnotations', 'System.Web'];
      const libraries = ['Newtonsoft.Json.dll', 'System.Runtime.Serialization', ...references];
      const compile = ['-langversion:latest', '-out:Journey.exe', ...libraries.map((name) => `-r:${name}`)];
      await workshop.run(['mcs', ...compile, 'Journey.cs', ...sources], 'csharp');
      return ['mono', 'Journey.exe'];
    },
  },
  'openapi-generator, csharp generichost': {
    folder: 'csharp-generichost',
    tools: ['java', 'mvn'],
    // Not compiled, because its dependencies come from NuGet and need .NET 8, which Debian does not have.
    build: async (workshop) => {
      await workshop.generate('csharp-generichost', 'generated', 'csharp');
      return undefined;
    },
  },
};

/**
 * Removes naming strategies, because Debian's Newtonsoft.Json 6 does not support them (9 does). They have no
 * effect: each property of each model has an explicit name, and `OverrideSpecifiedNames` is false.
 */
function withoutNamingStrategy(source: string): void {
  const text = readFileSync(source, 'utf8');
  writeFileSync(source, text.replaceAll(/NamingStrategy = new CamelCaseNamingStrategy\s*\{[^}]*\}/g, ''));
}
