import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');
const DESCRIPTION = join(ROOT, 'openapi.json');
const JOURNEYS = join(__dirname, 'journeys');

/** Pinned: another version is another client. */
const OPENAPI_GENERATOR = '7.25.0';
const OAPI_CODEGEN = 'v2.8.2';
const OPENAPI_PYTHON_CLIENT = '0.29.1';
const AXIOS = '1.19.0';

/** A client: what it needs on the machine, and how it is generated and built. Returns how its journey is run. */
export interface GeneratedClient {
  readonly tools: readonly string[];
  build(workshop: Workshop): Promise<Command | undefined>;
}

export type Command = readonly [program: string, ...parameters: string[]];

/** A folder of its own for everything that is fetched, generated and built: nothing else is written to. */
export class Workshop {
  constructor(readonly folder: string) {}

  /** Not blocking: the gateway that is tried lives in this process. */
  async run([program, ...parameters]: Command, within = '.'): Promise<string> {
    const { stdout } = await promisify(execFile)(program, parameters, {
      cwd: join(this.folder, within),
      env: { ...process.env, ...this.caches() },
      maxBuffer: 64 * 1024 * 1024,
    }).catch((error: { message: string; stdout?: string; stderr?: string }) => {
      throw new Error(`${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
    });
    return stdout;
  }

  /** The generated client lies in `<name>/<place>`, beside the program that uses it. */
  async generate(name: string, place: string, generator: string, ...options: string[]): Promise<void> {
    const jar = await this.generatorJar();
    this.copyJourney(name);
    const output = join(name, place);
    await this.run([
      'java',
      '-jar',
      jar,
      'generate',
      '-i',
      DESCRIPTION,
      '-o',
      output,
      '-g',
      generator,
      ...options,
    ]);
  }

  copyJourney(name: string): void {
    mkdirSync(join(this.folder, name), { recursive: true });
    const journey = join(JOURNEYS, name);
    if (readdirSync(JOURNEYS).includes(name)) cpSync(journey, join(this.folder, name), { recursive: true });
  }

  private async generatorJar(): Promise<string> {
    const name = `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`;
    if (readdirSync(this.folder).includes(name)) return join(this.folder, name);
    const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
    await this.run([...this.maven(), 'dependency:get', `-Dartifact=${artifact}`, '-Dtransitive=false']);
    await this.run([...this.maven(), 'dependency:copy', `-Dartifact=${artifact}`, '-DoutputDirectory=.']);
    return join(this.folder, name);
  }

  maven(): Command {
    return ['mvn', '-q', '-B', `-Dmaven.repo.local=${join(this.folder, 'maven')}`];
  }

  private caches(): Record<string, string> {
    return {
      GOMODCACHE: join(this.folder, 'go-modules'),
      GOCACHE: join(this.folder, 'go-build'),
      GOFLAGS: '-mod=mod -modcacherw',
      PIP_NO_CACHE_DIR: '1',
      npm_config_cache: join(this.folder, 'npm'),
    };
  }
}

function java(name: string, library: string): GeneratedClient {
  return {
    tools: ['java', 'javac', 'mvn'],
    build: async (workshop) => {
      await workshop.generate(name, 'generated', 'java', '--library', library);
      workshop.copyJourney('java');
      const copy: Command = [...workshop.maven(), 'dependency:copy-dependencies', '-DoutputDirectory=lib'];
      await workshop.run(copy, `${name}/generated`);
      const classes = ['classes', 'generated/lib/*'].join(delimiter);
      const sources = ['generated/src/main/java', '../java', '.'].join(delimiter);
      const compile = ['-nowarn', '-proc:none', '-d', 'classes', '-cp', classes, '-sourcepath', sources];
      // Every class of the client, not only those that the journey uses.
      const all = await workshop.run(['find', 'generated/src/main/java', '-name', '*.java'], name);
      writeFileSync(join(workshop.folder, name, 'sources'), all);
      await workshop.run(['javac', ...compile, '@sources', '../java/Journey.java', 'Library.java'], name);
      return ['java', '-cp', classes, 'Journey'];
    },
  };
}

function typescript(name: string, dependencies: readonly string[]): GeneratedClient {
  return {
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

const python = async (workshop: Workshop, ...requirements: string[]): Promise<string> => {
  await workshop.run(['python3', '-m', 'venv', 'python-environment']);
  const program = join(workshop.folder, 'python-environment', 'bin', 'python');
  await workshop.run([program, '-m', 'pip', 'install', '-q', ...requirements]);
  return program;
};

export const clients: Readonly<Record<string, GeneratedClient>> = {
  'openapi-generator, java native': java('java-native', 'native'),
  'openapi-generator, java okhttp-gson': java('java-okhttp', 'okhttp-gson'),
  'openapi-generator, go': {
    tools: ['java', 'mvn', 'go'],
    build: async (workshop) => {
      await workshop.generate('go', 'client', 'go', '--additional-properties=withGoMod=false');
      const module = 'github.com/access-gateway/client';
      writeFileSync(join(workshop.folder, 'go', 'client', 'go.mod'), `module ${module}\n\ngo 1.23\n`);
      writeFileSync(
        join(workshop.folder, 'go', 'go.mod'),
        `module journey\n\ngo 1.23\n\nrequire ${module} v0.0.0\n\nreplace ${module} => ./client\n`,
      );
      // Its own tests need modules that nobody else does.
      await workshop.run(['rm', '-rf', 'client/test'], 'go');
      await workshop.run(['go', 'mod', 'tidy'], 'go/client');
      await workshop.run(['go', 'build', './...'], 'go/client');
      await workshop.run(['go', 'mod', 'tidy'], 'go');
      await workshop.run(['go', 'build', '-o', 'journey', '.'], 'go');
      return ['./journey'];
    },
  },
  'oapi-codegen, go': {
    tools: ['go'],
    build: async (workshop) => {
      workshop.copyJourney('oapi-codegen');
      mkdirSync(join(workshop.folder, 'oapi-codegen', 'gateway'));
      writeFileSync(join(workshop.folder, 'oapi-codegen', 'go.mod'), 'module journey\n\ngo 1.24\n');
      const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${OAPI_CODEGEN}`;
      const options = ['-generate', 'types,client', '-package', 'gateway', '-o', 'gateway/gateway.go'];
      await workshop.run(['go', 'run', generator, ...options, DESCRIPTION], 'oapi-codegen');
      await workshop.run(['go', 'mod', 'tidy'], 'oapi-codegen');
      await workshop.run(['go', 'build', '-o', 'journey', '.'], 'oapi-codegen');
      return ['./journey'];
    },
  },
  'openapi-generator, python': {
    tools: ['java', 'mvn', 'python3'],
    build: async (workshop) => {
      await workshop.generate('python', 'generated', 'python');
      renameSync(
        join(workshop.folder, 'python/generated/openapi_client'),
        join(workshop.folder, 'python/openapi_client'),
      );
      const requirements = join(workshop.folder, 'python/generated/requirements.txt');
      return [await python(workshop, '-r', requirements), 'journey.py'];
    },
  },
  'openapi-python-client': {
    tools: ['python3'],
    build: async (workshop) => {
      workshop.copyJourney('openapi-python-client');
      const program = await python(workshop, `openapi-python-client==${OPENAPI_PYTHON_CLIENT}`);
      const options = ['--path', DESCRIPTION, '--meta', 'none', '--output-path', 'gateway_client'];
      const generate: Command = [program, '-m', 'openapi_python_client', 'generate', ...options];
      await workshop.run(generate, 'openapi-python-client');
      return [program, 'journey.py'];
    },
  },
  'openapi-generator, typescript-fetch': typescript('typescript-fetch', []),
  'openapi-generator, typescript-axios': typescript('typescript-axios', [`axios@${AXIOS}`]),
  'openapi-generator, csharp': {
    tools: ['java', 'mvn'],
    // Generated only: no compiler for it can be had from the registries that CI reaches.
    build: async (workshop) => {
      await workshop.generate('csharp', 'generated', 'csharp');
      return undefined;
    },
  },
};
