import { join } from 'node:path';
import type { probes } from './generators';
import type { Command } from './workshop';
import { ROOT } from '../support/root';

/** A client that we publish, in `clients/<folder>`, with its own README, license and tests. */
export interface PublishedClient {
  readonly tools: readonly (keyof typeof probes)[];
  /** Tools that `npm run generate -- clients` needs to generate the client. */
  readonly generatedWith: readonly (keyof typeof probes)[];
  /** Files that contain the client's version, each with a regular expression that finds the version. */
  readonly versions: Readonly<Record<string, RegExp>>;
  /**
   * The client's own tests, which run in the client's folder. `$WORK` is a folder that is removed afterwards.
   */
  readonly tests: readonly Command[];
}

export const published: Readonly<Record<string, PublishedClient>> = {
  go: {
    tools: ['go'],
    generatedWith: ['go'],
    versions: { 'client.go': /^const Version = "(.*)"$/m },
    tests: [
      ['go', 'vet', './...'],
      ['go', 'test', '-count=1', './...'],
    ],
  },
  python: {
    tools: ['python3'],
    generatedWith: ['python3'],
    versions: {
      'pyproject.toml': /^version = "(.*)"$/m,
      'src/access_gateway/version.py': /^__version__ = "(.*)"$/m,
    },
    tests: [
      ['python3', '-m', 'venv', '$WORK/python'],
      // Installs the client as its users do, instead of using its sources.
      ['$WORK/python/bin/python', '-m', 'pip', 'install', '-q', '.[test]'],
      ['$WORK/python/bin/python', '-m', 'mypy', '--cache-dir', '$WORK/mypy'],
      ['$WORK/python/bin/python', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
    ],
  },
  java: {
    tools: ['java', 'javac', 'mvn'],
    generatedWith: ['java', 'mvn'],
    versions: {
      'pom.xml': /^ {2}<version>(.*)<\/version>$/m,
      'src/main/java/io/accessgateway/client/Gateway.java': / VERSION = "(.*)";$/m,
    },
    tests: [['mvn', '-q', '-B', '-Dbuild.folder=$WORK/java', 'test']],
  },
};

export const clientFolder = (name: string): string => join(ROOT, 'clients', name);
