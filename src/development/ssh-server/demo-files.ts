/** A folder has its entries by name; a file has its text. */
type Entry = Map<string, Entry> | string;

const FILES: Readonly<Record<string, string>> = {
  '/etc/hostname': 'demo-server\n',
  '/home/demo/notes.txt': 'Deploy on Tuesdays. Ask Grace before a restart.\n',
  '/srv/app/config.yml': 'database: orders\nmail: ops@example.com\n',
  '/var/log/app.log':
    '09:00:01 started\n09:04:17 order 1042 of grace@example.com\n09:05:40 order 1043 of edsger@example.com\n',
};

/** The files of the demo server, in memory. Paths are absolute and normalized. */
export class DemoFiles {
  private readonly root = new Map<string, Entry>();

  constructor() {
    for (const [path, text] of Object.entries(FILES)) {
      const names = path.slice(1).split('/');
      const name = names.pop() ?? '';
      let folder = this.root;
      for (const one of names) {
        const next = folder.get(one) ?? new Map<string, Entry>();
        folder.set(one, next);
        folder = next as Map<string, Entry>;
      }
      folder.set(name, text);
    }
  }

  /** Returns the text of a file, or the sorted names in a folder; undefined if there is neither. */
  read(path: string): string | readonly string[] | undefined {
    const entry = this.find(path);
    return entry instanceof Map ? [...entry.keys()].toSorted() : entry;
  }

  /** Removes a file, or a folder with all that is in it. */
  remove(path: string): void {
    const names = path.slice(1).split('/');
    const name = names.pop() ?? '';
    const folder = this.find(`/${names.join('/')}`);
    if (path === '/') this.root.clear();
    else if (folder instanceof Map) folder.delete(name);
  }

  private find(path: string): Entry | undefined {
    let entry: Entry | undefined = this.root;
    for (const name of path.split('/').filter((one) => one !== ''))
      entry = entry instanceof Map ? entry.get(name) : undefined;
    return entry;
  }
}
