// Generates the parts of clients/ that follow from openapi.json, with the pinned generators of
// clients/generators.json:
//   node scripts/generate-clients.mjs [--check] [go] [python] [java]
// With --check it writes nothing, and fails when something is out of date. Needs the tools of each language,
// and the package registries for the generators.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const description = join(root, 'openapi.json');
const versions = JSON.parse(readFileSync(join(root, 'clients/generators.json'), 'utf8'));

/**
 * For each client, the folder of its generated files, which files are generated, and how to generate them
 * into another folder.
 */
const clients = {
  go: {
    place: 'clients/go',
    isGenerated: (file) => file.endsWith('.gen.go'),
    generate(folder) {
      const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${versions['oapi-codegen']}`;
      // The generator runs in this folder, because paths in its configuration are relative to the folder.
      const place = join(root, 'clients/go/generator');
      run(
        'go',
        ['run', generator, '-config', 'config.yaml', '-o', join(folder, 'api.gen.go'), description],
        place,
      );
    },
  },
  python: {
    place: 'clients/python/src/access_gateway/generated',
    // The generated client and errors are not used, because hand-written ones replace them.
    isGenerated: (file) => file.endsWith('.py') && file !== 'client.py' && file !== 'errors.py',
    generate(folder) {
      const environment = mkdtempSync(join(tmpdir(), 'gateway-generator-'));
      try {
        run('python3', ['-m', 'venv', environment], folder);
        const bin = join(environment, 'bin');
        const pinned = ['openapi-python-client', 'ruff'].map((name) => `${name}==${versions[name]}`);
        run(join(bin, 'python'), ['-m', 'pip', 'install', '-q', ...pinned], folder);
        const generator = join(root, 'clients/python/generator');
        const options = ['--meta', 'none', '--overwrite', '--output-path', folder];
        const own = [
          '--config',
          join(generator, 'config.yaml'),
          '--custom-template-path',
          join(generator, 'templates'),
        ];
        // The generator formats its output with the first ruff on the PATH.
        run(
          join(bin, 'openapi-python-client'),
          ['generate', '--path', description, ...options, ...own],
          folder,
          {
            PATH: [bin, process.env.PATH].join(delimiter),
          },
        );
      } finally {
        rmSync(environment, { recursive: true, force: true });
      }
    },
  },
  java: {
    place: 'clients/java/src/generated/java',
    isGenerated: (file) => file.endsWith('.java'),
    generate(folder) {
      const work = mkdtempSync(join(tmpdir(), 'gateway-generator-'));
      try {
        const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${versions['openapi-generator']}`;
        run('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${work}`], work);
        const jar = join(work, `openapi-generator-cli-${versions['openapi-generator']}.jar`);
        const generator = join(root, 'clients/java/generator');
        const own = ['-c', join(generator, 'config.yaml'), '-t', join(generator, 'templates')];
        run('java', ['-Xmx1g', '-jar', jar, 'generate', '-i', description, '-o', folder, ...own], work);
        for (const [file, text] of contents(folder, this.isGenerated))
          writeFileSync(join(folder, file), inUtf8(text));
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    },
  },
};

const check = process.argv.includes('--check');
const named = process.argv.slice(2).filter((word) => word !== 'clients' && !word.startsWith('--'));
for (const [name, client] of Object.entries(clients)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const folder = mkdtempSync(join(tmpdir(), 'gateway-generated-'));
  try {
    client.generate(folder);
    const place = join(root, client.place);
    mkdirSync(place, { recursive: true });
    const made = contents(folder, client.isGenerated);
    const stale = differences(contents(place, client.isGenerated), made);
    if (check) {
      for (const file of stale)
        console.error(`${join(client.place, file)} is out of date: npm run generate -- clients`);
      if (stale.length > 0) process.exitCode = 1;
    } else {
      for (const file of stale) rmSync(join(place, file), { force: true });
      for (const file of made.keys()) {
        mkdirSync(dirname(join(place, file)), { recursive: true });
        cpSync(join(folder, file), join(place, file));
      }
      console.log(
        stale.length === 0 ? `${name}: everything is up to date` : `${name}: wrote ${stale.length} files`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes generated code decode answers as UTF-8. The generator's code uses the charset of the platform, which
 * is UTF-8 only from Java 18 on. Also removes blanks at line ends.
 */
function inUtf8(text) {
  return text
    .replaceAll(
      /new String\((\w+\.readAllBytes\(\))\)/g,
      'new String($1, java.nio.charset.StandardCharsets.UTF_8)',
    )
    .replaceAll(/[ \t]+$/gm, '');
}

/** Contents of all generated files below the folder. */
function contents(folder, isGenerated) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => isGenerated(file));
  return new Map(files.sort().map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

function differences(before, after) {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((file) => before.get(file) !== after.get(file));
}

function run(program, parameters, cwd, environment = {}) {
  try {
    return execFileSync(program, parameters, {
      cwd,
      env: { ...process.env, ...environment },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw new Error(`${program} ${parameters.join(' ')}:\n${error.stdout}\n${error.stderr}`, {
      cause: error,
    });
  }
}
