import { CompoundCommands, type ListState } from './compound-commands';
import { TextCursor } from './cursor';
import { findBody } from './here-documents';
import { ACROSS } from './script-text';
import type { HereDocument, RedirectOperator, Redirection, SimpleCommand } from './simple-command';
import { type Word, WordBuilder } from './word';
import { assignedAt } from './word-reader';

const OPERATORS: readonly RedirectOperator[] = ['<<<', '<<-', '<<', '<&', '<>', '<', '>>', '>&', '>|', '>'];

/**
 * Reads the commands of a text, at any depth, without running anything. It finds every place at which a
 * command may begin, and accepts texts that a shell refuses: reading too much is harmless, too little is
 * not. Takes linear time.
 */
export class ScriptReader extends CompoundCommands {
  /** @throws TooDeepScript, DashStops */
  readAll(): void {
    this.readList(false);
  }

  readSubstitution(): void {
    const outer = this.pending;
    const start = this.cursor.at;
    this.pending = [];
    this.readList(true);
    const isMultiline = outer.length > 0 && this.cursor.text.slice(start, this.cursor.at).includes('\n');
    if (this.pending.length > 0 || isMultiline) this.hide(ACROSS);
    this.pending = outer;
  }

  private readList(isSubstitution: boolean): void {
    const { cursor } = this;
    const state: ListState = { blocks: [], loop: undefined, hasPattern: false, command: undefined };
    for (;;) {
      this.skipBlanks();
      if (cursor.isDone) break;
      if (cursor.char === ')' && isSubstitution && state.blocks.length === 0) {
        this.endCommand(state);
        cursor.advance();
        return;
      }
      this.readToken(state);
    }
    this.endCommand(state);
    if (isSubstitution) this.unclosed('a substitution');
    else if (state.blocks.length > 0) this.unclosed('a block');
  }

  private readToken(state: ListState): void {
    const { cursor } = this;
    switch (cursor.char) {
      case '\n':
        return this.readLineEnd(state);
      case ';':
        return this.readSemicolon(state);
      case '&':
      case '|':
        return this.readConnector(state, cursor.char);
      case '(':
        return this.readOpening(state);
      case ')':
        return this.readClosing(state);
    }
    if (this.words.isAtWord) this.readWord(state);
    else this.readRedirection(state, '');
  }

  private readLineEnd(state: ListState): void {
    const { cursor } = this;
    this.endCommand(state);
    if (this.pending.length === 0) return cursor.advance();
    // The first line of a body must not be joined to it.
    cursor.at += 1;
    for (const document of this.pending) this.readBody(document);
    this.pending = [];
    cursor.settle();
  }

  private readBody(document: HereDocument): void {
    const { cursor, dialect, reading } = this;
    const { end, next, isUnclear } = findBody(cursor, document);
    if (isUnclear) this.hide('has a here-document whose end shells find at different places');
    const body = cursor.text.slice(cursor.at, end);
    cursor.rewriter?.open(cursor.at);
    if (document.isQuoted) document.body = body;
    else {
      const inside = new TextCursor(cursor.text.slice(0, end), cursor.rewriter, cursor.at);
      const word = new WordBuilder(cursor.at);
      new ScriptReader(inside, dialect, reading).words.readQuoted(word, '');
      document.body = word.build(end).text;
    }
    if (document.stripsTabs) document.body = document.body.replaceAll(/^\t+/gm, '');
    cursor.rewriter?.close(end, true);
    cursor.at = next;
  }

  private readSemicolon(state: ListState): void {
    const { cursor } = this;
    this.endCommand(state);
    cursor.advance();
    const isArmEnd = cursor.take(';') || cursor.char === '&';
    if (isArmEnd) cursor.take('&');
    if (isArmEnd && state.blocks.at(-1) === 'arms') {
      state.blocks[state.blocks.length - 1] = 'patterns';
      state.hasPattern = false;
    }
  }

  private readConnector(state: ListState, connector: string): void {
    const { cursor } = this;
    if (connector === '&' && cursor.following === '>' && this.dialect === 'bash') {
      const command = this.commandOf(state);
      cursor.advance();
      cursor.advance();
      const operator = cursor.take('>') ? '&>>' : '&>';
      return this.readTarget(command, operator, '');
    }
    if (state.blocks.at(-1) !== 'patterns') this.endCommand(state);
    cursor.advance();
    if (!cursor.take(connector) && connector === '|') cursor.take('&');
  }

  private readOpening(state: ListState): void {
    const { cursor } = this;
    const { blocks, command } = state;
    if (blocks.at(-1) === 'patterns') {
      state.hasPattern = true;
      return cursor.advance();
    }
    if (command !== undefined) return this.readFunction(state, command);
    if (this.dialect === 'bash' && cursor.following === '(') {
      cursor.advance();
      this.enter();
      this.words.readArithmetic();
      return this.leave();
    }
    blocks.push('subshell');
    cursor.advance();
  }

  /** Reads the parentheses after the name of a function. Its body is read like other commands. */
  private readFunction(state: ListState, { words, assignments, redirections }: SimpleCommand): void {
    const { cursor } = this;
    cursor.advance();
    this.skipBlanks();
    const isFunction = words.length === 1 && assignments.length + redirections.length === 0;
    if (isFunction && cursor.take(')')) {
      this.reading.functions.push(words[0]!.text);
      state.command = undefined;
      return;
    }
    this.fail('has a parenthesis where none may be');
    this.endCommand(state);
    state.blocks.push('subshell');
  }

  private readClosing(state: ListState): void {
    const { cursor } = this;
    const { blocks } = state;
    this.endCommand(state);
    const block = blocks.pop();
    if (block === 'patterns') blocks.push('arms');
    else if (block !== 'subshell') {
      if (block !== undefined) blocks.push(block);
      this.fail('has a parenthesis that closes nothing');
    }
    cursor.advance();
  }

  private readWord(state: ListState): void {
    const { cursor } = this;
    const { blocks, command } = state;
    if (blocks.at(-1) === 'patterns') {
      const pattern = this.words.read();
      if (pattern.isPlain && pattern.text === 'esac' && !state.hasPattern) blocks.pop();
      state.hasPattern = true;
      return;
    }
    const isFirst = command === undefined;
    const word = this.words.read(isFirst || command.words.length === 0 ? 'command' : 'argument');
    if (state.loop !== undefined) return this.readLoopWord(state, state.loop, word);
    const redirects = (cursor.char === '<' || cursor.char === '>') && this.isDescriptor(word);
    if (redirects) return this.readRedirection(state, word.text.replaceAll(/[{}]/g, ''), word.start);
    if (isFirst && word.isPlain && this.readReserved(state, word)) return;
    const current = this.commandOf(state, word.start);
    current.end = word.end;
    if (current.words.length === 0 && assignedAt(word) !== undefined) current.assignments.push(word);
    else current.words.push(word);
  }

  private isDescriptor({ isPlain, text }: Word): boolean {
    return isPlain && (/^\d+$/.test(text) || (this.dialect === 'bash' && /^\{[A-Za-z_]\w*\}$/.test(text)));
  }

  private readRedirection(state: ListState, descriptor: string, start?: number): void {
    const { cursor } = this;
    const command = this.commandOf(state, start);
    const operator = OPERATORS.find(
      (each) => (each !== '<<<' || this.dialect === 'bash') && cursor.take(each),
    );
    if (operator === undefined) return cursor.advance();
    this.readTarget(command, operator, descriptor);
  }

  private readTarget(command: SimpleCommand, operator: RedirectOperator, descriptor: string): void {
    const { cursor } = this;
    this.skipBlanks();
    if (!this.words.isAtWord) return this.fail('redirects to nothing');
    const target = this.words.read();
    command.end = target.end;
    if (operator !== '<<' && operator !== '<<-') {
      command.redirections.push({ operator, descriptor, target });
      return;
    }
    const written = cursor.text.slice(target.start, target.end);
    if (/[$`\n]/.test(written)) this.hide('has a here-document whose end shells find at different places');
    const document = { delimiter: target.text, isQuoted: !target.isPlain, stripsTabs: operator === '<<-' };
    const redirection: Redirection = {
      operator,
      descriptor,
      target,
      document: { ...document, body: undefined },
    };
    command.redirections.push(redirection);
    if (redirection.document !== undefined) this.pending.push(redirection.document);
  }

  private commandOf(state: ListState, start = this.cursor.at): SimpleCommand {
    state.command ??= { start, end: start, assignments: [], words: [], redirections: [] };
    return state.command;
  }

  private endCommand(state: ListState): void {
    this.endLoop(state);
    if (state.command !== undefined) this.reading.commands.push(state.command);
    state.command = undefined;
  }
}
