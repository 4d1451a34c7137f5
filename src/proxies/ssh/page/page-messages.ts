import { z } from 'zod';
import { parseJson } from '../../../kernel/json/parse-json';
import { MAX_CELLS } from '../channels/channel-requests';

/** Purpose of a page: it shows a terminal of a server, or the server's files. */
export type PagePurpose = 'terminal' | 'files';

const cells = z.number().int().min(1).max(MAX_CELLS);

const openFiles = z.strictObject({
  type: z.literal('open'),
  /** Id of the person for whom the page was opened: `id` of `GET /userinfo`. */
  person: z.string().min(1).max(1_000),
  /** Why the person opens the connection, for rules that ask for a reason and for the recording. */
  reason: z.string().max(2_000).optional(),
});

const openTerminal = openFiles.extend({ columns: cells, rows: cells });
const resize = z.strictObject({ type: z.literal('resize'), columns: cells, rows: cells });
const read = z.strictObject({ type: z.literal('read'), bytes: z.number().int().min(1) });

const MESSAGES = {
  terminal: z.discriminatedUnion('type', [openTerminal, resize, read]),
  files: z.discriminatedUnion('type', [openFiles, read]),
};

/** The first message of a page. That for a terminal has its size. */
export type OpenMessage = z.infer<typeof openTerminal> | z.infer<typeof openFiles>;

/**
 * Message of a page, as JSON in a text frame: `open` comes first, `resize` changes the size of the terminal,
 * `read` reports how many bytes of output the page has taken. Binary frames are input of the person; for
 * files, packets of SFTP.
 */
export type PageMessage = OpenMessage | z.infer<typeof resize> | z.infer<typeof read>;

/**
 * Message to a page, as JSON in a text frame: `read` reports how many bytes of input were taken, `say` has
 * sentences that are no output, `end` is the last one. Binary frames are output.
 */
export type GatewayMessage =
  | { readonly type: 'read'; readonly bytes: number }
  | { readonly type: 'say'; readonly text: string }
  | {
      readonly type: 'end';
      /** Exit code as a shell shows it: of a signal, 128 and its number. Null if nothing has begun. */
      readonly exit_code: number | null;
    };

/** Returns undefined if the text is no message of a page for the purpose. */
export function pageMessage(text: string, purpose: PagePurpose): PageMessage | undefined {
  try {
    const { success, data } = MESSAGES[purpose].safeParse(parseJson(text));
    return success ? data : undefined;
  } catch {
    return undefined;
  }
}
