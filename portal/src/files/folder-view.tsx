import {
  Alert,
  Anchor,
  Breadcrumbs,
  Button,
  FileButton,
  Group,
  Progress,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Listing } from '../parts/listing';
import { Said } from '../parts/said';
import { saveAs } from '../parts/save-as';
import { SureButton } from '../parts/sure-button';
import { Time } from '../parts/time';
import { useUnsaved } from '../parts/unsaved';
import { texts } from '../texts';
import { NameButton } from './name-button';
import { type RemotePath, lineage, shown, textBytes, within } from './paths';
import { type Entry, type Folder, MOST_ENTRIES, type Sftp } from './sftp';

const t = texts.files;

interface Props {
  readonly sftp: Sftp;
  readonly home: RemotePath;
}

/** Work that is being done. */
interface Work {
  readonly label: string;
  readonly bytes?: number;
  readonly of?: number | undefined;
}

/** One folder of a server, and what people do with its files. */
export function FolderView({ sftp, home }: Props) {
  const [path, setPath] = useState(home);
  const [folder, setFolder] = useState<Folder>();
  const [work, setWork] = useState<Work>();
  const [fault, setFault] = useState<string>();
  /** A file that was chosen although the folder has one of its name. */
  const [there, setThere] = useState<File>();
  const again = useRef<() => void>(null);
  useUnsaved(work?.bytes !== undefined, true);

  const act = async (label: string, doIt: () => Promise<unknown>): Promise<void> => {
    setWork({ label });
    setFault(undefined);
    try {
      await doIt();
    } catch (error) {
      setFault(error instanceof Error ? error.message : texts.files.over);
    }
    setWork(undefined);
  };
  const show = async (at: RemotePath): Promise<void> => {
    const listed = await sftp.list(at);
    setFolder({ ...listed, entries: listed.entries.toSorted(byName) });
    setPath(at);
    setThere(undefined);
  };
  const enter = (at: RemotePath): Promise<void> =>
    act(t.listing(shown(at)), async () => show(await sftp.resolved(at)));
  const change = (label: string, doIt: () => Promise<unknown>): Promise<void> =>
    act(label, async () => {
      await doIt();
      await show(path);
    });
  const begin = useEffectEvent(() => void enter(home));
  useEffect(() => begin(), [sftp, home]);

  const download = (entry: Entry): Promise<void> =>
    act(t.downloading(shown(entry.name)), async () => {
      const label = t.downloading(shown(entry.name));
      const content = await sftp.read(within(path, entry.name), (bytes) =>
        setWork({ label, bytes, of: entry.size }),
      );
      const address = URL.createObjectURL(content);
      saveAs(address, shown(entry.name));
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    });
  /** A link leads to a folder or to a file: only the server knows. */
  const follow = (entry: Entry): Promise<void> =>
    act(t.listing(shown(entry.name)), async () => {
      const { kind, size } = await sftp.stat(within(path, entry.name));
      if (kind === 'folder') await enter(within(path, entry.name));
      else await download({ ...entry, size });
    });
  const upload = (file: File, how: 'create' | 'replace'): Promise<void> => {
    setThere(undefined);
    const label = t.uploading(file.name);
    return change(label, () =>
      sftp.write(within(path, textBytes(file.name)), file, how, (bytes) =>
        setWork({ label, bytes, of: file.size }),
      ),
    );
  };
  const choose = (file: File | null): void => {
    again.current?.();
    if (file === null) return;
    const isThere = folder?.entries.some(({ name }) => shown(name) === file.name);
    if (isThere) setThere(file);
    else void upload(file, 'create');
  };
  const isBusy = work !== undefined;
  return (
    <Stack>
      <Group justify="space-between">
        <Breadcrumbs separatorMargin={4} style={{ flexWrap: 'wrap' }} aria-label={t.path}>
          {lineage(path).map((part) => (
            <Anchor
              component="button"
              type="button"
              key={part.path.length}
              onClick={() => void enter(part.path)}
            >
              <Said text={part.name} />
            </Anchor>
          ))}
        </Breadcrumbs>
        <Group>
          <FileButton onChange={choose} resetRef={again} disabled={isBusy}>
            {(props) => (
              <Button size="compact-sm" disabled={isBusy} {...props}>
                {t.upload}
              </Button>
            )}
          </FileButton>
          <NameButton
            label={t.makeFolder}
            disabled={isBusy}
            onName={(name) => change(t.makeFolder, () => sftp.makeFolder(within(path, textBytes(name))))}
          />
        </Group>
      </Group>
      {there !== undefined && (
        <Alert color="orange" role="alert">
          <Stack gap="xs">
            <Text>
              <Said text={t.isThere(there.name)} />
            </Text>
            <Group>
              <Button size="compact-sm" color="red" onClick={() => void upload(there, 'replace')}>
                {t.replace}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => setThere(undefined)}>
                {texts.actions.cancel}
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
      {fault !== undefined && (
        <Alert color="red" role="alert">
          <Said text={fault} />
        </Alert>
      )}
      <Working work={work} />
      {folder !== undefined && (
        <Listing heads={[t.name, t.size, t.changed, '']}>
          {folder.entries.map((entry) => (
            <Row
              key={entry.name.join('.')}
              entry={entry}
              isBusy={isBusy}
              onOpen={() => void (entry.kind === 'folder' ? enter(within(path, entry.name)) : follow(entry))}
              onRename={(name) =>
                change(t.rename, () => sftp.rename(within(path, entry.name), within(path, textBytes(name))))
              }
              onRemove={() => change(t.remove, () => sftp.remove(within(path, entry.name), entry.kind))}
            />
          ))}
        </Listing>
      )}
      {folder?.entries.length === 0 && <Text>{t.empty}</Text>}
      {folder?.hasMore === true && <Text>{t.more(MOST_ENTRIES)}</Text>}
    </Stack>
  );
}

/** Shows the work that is being done, also to people who hear the page. */
function Working({ work }: { readonly work: Work | undefined }) {
  const share = work?.of === undefined || work.of === 0 ? undefined : ((work.bytes ?? 0) / work.of) * 100;
  return (
    <div role="status">
      {work !== undefined && (
        <>
          <Text size="sm">
            <Said text={work.label} /> {work.bytes !== undefined && t.bytes(work.bytes)}
          </Text>
          {share !== undefined && <Progress value={Math.min(100, share)} aria-label={work.label} />}
        </>
      )}
    </div>
  );
}

interface RowProps {
  readonly entry: Entry;
  readonly isBusy: boolean;
  readonly onOpen: () => void;
  readonly onRename: (name: string) => Promise<void>;
  readonly onRemove: () => Promise<void>;
}

function Row({ entry, isBusy, onOpen, onRename, onRemove }: RowProps) {
  const name = shown(entry.name);
  const isFile = entry.kind === 'file';
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          component="button"
          type="button"
          onClick={onOpen}
          disabled={isBusy}
          style={{ overflowWrap: 'anywhere' }}
        >
          <Said text={entry.kind === 'folder' ? `${name}/` : name} />
        </Anchor>
        {entry.kind !== 'folder' && !isFile && <Text size="sm">{t.kinds[entry.kind]}</Text>}
      </Table.Td>
      <Table.Td>{isFile && entry.size !== undefined && t.bytes(entry.size)}</Table.Td>
      <Table.Td>{entry.changed !== undefined && <Time at={entry.changed.toISOString()} />}</Table.Td>
      <Table.Td>
        <Group gap="xs">
          <NameButton label={t.rename} of={name} first={name} disabled={isBusy} onName={onRename} />
          <SureButton
            label={t.remove}
            of={name}
            explained={t.removed}
            isPending={isBusy}
            fault={undefined}
            onSure={(done) => void onRemove().then(done)}
          />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Folders first, then by name as people sort them. */
function byName(first: Entry, second: Entry): number {
  const [a, b] = [first, second].map(({ kind }) => (kind === 'folder' ? 0 : 1)) as [number, number];
  return a - b || shown(first.name).localeCompare(shown(second.name));
}
