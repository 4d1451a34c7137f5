import type { Session } from '../../../gate/session';
import { emptyObject, isObject, type Json, writeJson, readJson, JsonFault } from '../../../kernel/json/json';
import { inSlices } from '../../../kernel/async/time-slice';
import { hiddenSteps } from '../../../languages/tool-call/hidden-texts';
import { type Part, partOf, screenedTextsOf, type TextPart, TooDeep } from './result-tree';
import { stillFits } from './schema-fit';
import { BlockedText, ScreenedLeaves } from './screened-leaves';

/** The message that may be delivered, or the message that replaces a blocked one. */
export type ScreenedJson =
  | { readonly kind: 'deliver'; readonly value: Json }
  | {
      readonly kind: 'blocked';
      readonly message: string;
      /**
       * Whether the replacing message is already recorded. False if no rule blocked the original message, but
       * a masked text cannot be written into it, or it is nested too deeply. The caller must then record the
       * replacing message.
       */
      readonly isRecorded: boolean;
    };

/** Reasons why a message is refused although no rule blocks it. */
const NO_MASK = {
  number: 'A guardrail hides a number in the answer, and a number cannot be masked.',
  name: 'A guardrail hides the name of a field in the answer, and a name cannot be masked.',
  handle:
    'A guardrail hides a value in the answer on which programs rely, such as a URI. It cannot be masked.',
  hidden: 'A guardrail hides a part of the answer that is encoded, and it cannot be masked there.',
  document: 'A guardrail hides a part of a JSON document in the answer, which would be no JSON with a mask.',
  schema:
    'A guardrail hides a part of the answer, which would not fit the output schema of the tool with a mask.',
  spread: 'A guardrail hides a part of the answer that is spread over several texts.',
  deep: 'The answer has texts in texts that are nested too deeply to be screened.',
} as const;

class NoMask extends Error {
  constructor(readonly why: keyof typeof NO_MASK) {
    super(why);
  }
}

/**
 * Screens a result, an error or the parameters of a server's message: each text, number and name, JSON and
 * base64 inside texts, texts in other encodings, and adjacent blocks of text together. Writes masks back in
 * the original encoding. If a mask cannot be put into the message, the message is refused, so that the client
 * never gets a wrong value.
 *
 * @param schema the tool's `outputSchema`, which `structuredContent` must still fit after masking
 * @throws (or rejects) when a text could not be judged; nothing must be delivered then
 */
export async function screenedResult(
  session: Pick<Session, 'screenTexts' | 'screensOutput'>,
  value: Json,
  schema?: Json,
): Promise<ScreenedJson> {
  if (!session.screensOutput) return { kind: 'deliver', value };
  try {
    return { kind: 'deliver', value: await new ResultScreening(session, schema).screened(value) };
  } catch (error) {
    if (error instanceof BlockedText) return { kind: 'blocked', message: error.message, isRecorded: true };
    const why = error instanceof TooDeep ? 'deep' : error instanceof NoMask ? error.why : undefined;
    if (why === undefined) throw error;
    return { kind: 'blocked', message: NO_MASK[why], isRecorded: false };
  }
}

class ResultScreening {
  private readonly leaves: ScreenedLeaves;

  constructor(
    session: Pick<Session, 'screenTexts'>,
    private readonly schema: Json | undefined,
  ) {
    this.leaves = new ScreenedLeaves(session);
  }

  async screened(value: Json): Promise<Json> {
    const part = await partOf(value);
    await this.leaves.screen(screenedTextsOf(part));
    // Does not rewrite a message in which the rules find nothing, which is the usual case.
    const masked = this.leaves.areUnchanged ? value : await this.rewritten(part);
    for (const blocks of textBlocks(masked)) await this.refuseSpread(blocks);
    return masked;
  }

  private async rewritten(part: Part): Promise<Json> {
    switch (part.kind) {
      case 'plain':
        return part.value;
      case 'number':
        if (part.texts.some((text) => this.leaves.isMasked(text))) throw new NoMask('number');
        return part.value;
      case 'array': {
        const items: Json[] = [];
        for (const item of part.items) items.push(await this.rewritten(item));
        return items;
      }
      case 'object': {
        const object = emptyObject();
        for (const { name, nameTexts, value } of part.fields) {
          if (nameTexts.some((text) => this.leaves.isMasked(text))) throw new NoMask('name');
          object[name] = await this.rewritten(value);
        }
        return object;
      }
      case 'text':
        return this.text(part);
    }
  }

  private async text(part: TextPart): Promise<string> {
    const { text, path, isHandle } = part;
    const after = await this.inItsForm(part);
    if (after === text) return text;
    if (isHandle) throw new NoMask('handle');
    const [field, ...place] = path ?? [];
    if (field === 'structuredContent' && this.schema !== undefined)
      if (!stillFits(this.schema, { path: place, before: text, after })) throw new NoMask('schema');
    return after;
  }

  private async inItsForm({ text, form }: TextPart): Promise<string> {
    switch (form.kind) {
      case 'words':
        return this.words(text, form.hidden);
      case 'base64': {
        const inner = await this.text(form.inner);
        if (this.leaves.isMasked(text)) throw new NoMask('hidden');
        return inner === form.inner.text ? text : Buffer.from(inner).toString(form.encoding);
      }
      case 'json':
        return this.document(text, await this.rewritten(form.inner), form.indent);
    }
  }

  private async words(text: string, hidden: readonly string[]): Promise<string> {
    const after = this.leaves.of(text);
    if (!hidden.some((inner) => this.leaves.isMasked(inner))) return after;
    // Screens the encoded texts again, because a mask of the outer text may have removed the match.
    const { texts, complete } = await inSlices(hiddenSteps(after));
    await this.leaves.screen(texts);
    if (!complete || texts.some((inner) => this.leaves.isMasked(inner))) throw new NoMask('hidden');
    return after;
  }

  /** Masks a JSON document, and screens it as a whole, because a match may span its punctuation. */
  private async document(before: string, value: Json, indent: string): Promise<string> {
    const isSame = writeJson(value) === writeJson(await readJson(Buffer.from(before)));
    const rewritten = isSame ? before : indent === '' ? writeJson(value) : indented(value, indent);
    await this.leaves.screen([rewritten]);
    const after = this.leaves.of(rewritten);
    if (after !== rewritten && !(await isJson(after))) throw new NoMask('document');
    return after;
  }

  /** Refuses the message if rules find a match in the joined texts, but not in the single texts. */
  private async refuseSpread(blocks: readonly string[]): Promise<void> {
    const all = ['', ' '].map((between) => blocks.join(between));
    await this.leaves.screen([...blocks, ...all]);
    for (const [index, between] of ['', ' '].entries()) {
      const each = blocks.map((block) => this.leaves.of(block)).join(between);
      const together = this.leaves.of(all[index]!);
      // Allows the match if masking each text alone gives the same result. The rules then matched an already
      // masked text again.
      if (together !== all[index] && together !== each) throw new NoMask('spread');
    }
  }
}

/**
 * Returns the lists of texts that clients show one after another: the texts of content, of a prompt's
 * messages, or of a resource's contents.
 */
function textBlocks(value: Json): string[][] {
  if (!isObject(value)) return [];
  const lists = Object.values(value).filter((list) => Array.isArray(list));
  return lists.map((list) => list.flatMap(blockText)).filter((texts) => texts.length > 1);
}

function blockText(block: Json): string[] {
  if (!isObject(block)) return [];
  const { text, content } = block;
  if (typeof text === 'string') return [text];
  return content === undefined ? [] : blockText(content);
}

/** Writes JSON with the server's indentation: one value a line. */
function indented(value: Json, indent: string): string {
  const compact = writeJson(value);
  const pretty = JSON.stringify(value, null, indent);
  // Only the compact form keeps numbers that do not fit into a double.
  return compact === JSON.stringify(value) ? pretty : compact;
}

async function isJson(text: string): Promise<boolean> {
  try {
    await readJson(Buffer.from(text));
    return true;
  } catch (error) {
    if (error instanceof JsonFault) return false;
    throw error;
  }
}
