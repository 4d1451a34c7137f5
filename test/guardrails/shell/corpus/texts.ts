import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the scripts of a file, which `%%` on a line divides. */
export function scriptsIn(name: 'forms.txt' | 'ordinary.txt'): string[] {
  const scripts = readFileSync(join(__dirname, name), 'utf8').replace(/\n$/, '').split('\n%%\n');
  if (new Set(scripts).size < scripts.length) throw new Error(`${name} has a script twice`);
  return scripts;
}
