import type { ResourceType } from '../schema/attribute';
import { type AttributePath, resolvePath } from '../schema/attribute-path';
import { invalidFilter } from '../values/scim-fault';
import { type Filter, OPERATORS, type Operator } from './filter';
import { type Token, filterTokens } from './filter-tokens';

/** Limits of a filter that the database or a PATCH evaluates. Providers send at most two comparisons. */
const MAX_COMPARISONS = 50;
const MAX_DEPTH = 10;

/** @throws ScimFault `invalidFilter`, also for attributes that the resource does not have. */
export function parseFilter(text: string, type: ResourceType): Filter {
  return new FilterParser(filterTokens(text), type).whole();
}

/** Parses the filter in brackets of a path. Its attributes are the sub-attributes of `within`. */
export function parseValueFilter(text: string, type: ResourceType, within: AttributePath): Filter {
  return new FilterParser(filterTokens(text), type, within).whole();
}

/** Recursive descent parser: `not` binds strongest, then `and`, then `or`. */
class FilterParser {
  private at = 0;
  private comparisons = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly type: ResourceType,
    private within?: AttributePath,
  ) {}

  whole(): Filter {
    const filter = this.either();
    if (this.at < this.tokens.length) throw invalidFilter('the filter goes on after its end');
    return filter;
  }

  private either(): Filter {
    return this.joined('or', () => this.joined('and', () => this.single()));
  }

  private joined(kind: 'and' | 'or', next: () => Filter): Filter {
    const parts = [next()];
    while (this.takes(kind)) parts.push(next());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind, parts };
  }

  private single(): Filter {
    if (this.takes('not')) {
      if (this.peek()?.kind !== '(') throw invalidFilter('not must be followed by parentheses');
      return { kind: 'not', part: this.grouped('(', ')') };
    }
    if (this.peek()?.kind === '(') return this.grouped('(', ')');
    return this.comparison();
  }

  private grouped(open: '(' | '[', close: ')' | ']'): Filter {
    this.require(open);
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw invalidFilter(`a filter may be nested ${MAX_DEPTH} levels deep`);
    const filter = this.either();
    this.depth -= 1;
    this.require(close);
    return filter;
  }

  private comparison(): Filter {
    this.comparisons += 1;
    if (this.comparisons > MAX_COMPARISONS)
      throw invalidFilter(`a filter may have ${MAX_COMPARISONS} comparisons at most`);
    const name = this.word('an attribute');
    const path = this.find(name);
    if (this.peek()?.kind === '[') return this.valuePath(name, path);
    return this.compared(path, this.word('an operator').toLowerCase());
  }

  /** Parses `emails[type eq "work"]`. Providers also send `emails[type eq "work"].value eq "x"`. */
  private valuePath(name: string, path: AttributePath): Filter {
    if (this.within !== undefined || path.attribute.multiValued !== true || path.sub !== undefined)
      throw invalidFilter(`${name} cannot be followed by a filter in brackets`);
    this.within = path;
    const part = this.grouped('[', ']');
    const rest = this.peek();
    if (rest?.kind !== 'word' || !rest.text.startsWith('.')) {
      this.within = undefined;
      return { kind: 'within', path, part };
    }
    this.at += 1;
    const sub = this.find(rest.text.slice(1));
    const more = this.compared(sub, this.word('an operator').toLowerCase());
    this.within = undefined;
    return { kind: 'within', path, part: { kind: 'and', parts: [part, more] } };
  }

  private compared(named: AttributePath, operator: string): Filter {
    if (operator === 'pr') return { kind: 'present', path: named };
    if (!isOperator(operator)) throw invalidFilter(`unknown operator ${operator.slice(0, 32)}`);
    const path = withValue(named);
    return { kind: 'compare', path, operator, value: this.value(path, operator) };
  }

  private value(path: AttributePath, operator: Operator): string | boolean {
    const token = this.tokens[this.at];
    this.at += 1;
    const { type, name } = path.sub ?? path.attribute;
    if (type === 'complex') throw invalidFilter(`${name} has parts; name one of them`);
    if (type === 'boolean') {
      const word = token?.kind === 'word' ? token.text : token?.kind === 'value' ? token.value : '';
      const value = /^(?:true|false)$/i.test(word) ? word.toLowerCase() === 'true' : undefined;
      if (value === undefined || (operator !== 'eq' && operator !== 'ne'))
        throw invalidFilter(`${name} can be compared by eq and ne with true and false`);
      return value;
    }
    if (token?.kind !== 'value')
      throw invalidFilter(`${name} must be compared with a text in quotation marks`);
    if (type === 'dateTime' && (!isTime(token.value) || ['co', 'sw', 'ew'].includes(operator)))
      throw invalidFilter(`${name} must be compared with a time`);
    return token.value;
  }

  private find(name: string): AttributePath {
    const { within } = this;
    const path = resolvePath(this.type, within === undefined ? name : `${prefixOf(within)}.${name}`);
    if (path === undefined || path === 'forgotten')
      throw invalidFilter(`${this.type.name} has no attribute ${name.slice(0, 128)}`);
    return path;
  }

  private takes(keyword: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'word' || token.text.toLowerCase() !== keyword) return false;
    this.at += 1;
    return true;
  }

  private word(what: string): string {
    const token = this.tokens[this.at];
    if (token?.kind !== 'word') throw invalidFilter(`${what} is missing in the filter`);
    this.at += 1;
    return token.text;
  }

  private require(kind: Token['kind']): void {
    if (this.peek()?.kind !== kind) throw invalidFilter(`${kind} is missing in the filter`);
    this.at += 1;
  }

  private peek(): Token | undefined {
    return this.tokens[this.at];
  }
}

/** Whether the text is a date with a time (RFC 7643, section 2.3.5). */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?$/.test(text) && !Number.isNaN(Date.parse(text));
}

function isOperator(text: string): text is Operator {
  return OPERATORS.some((operator) => operator === text);
}

/** Adds `value` to a multi-valued attribute that is named without a sub-attribute (`members eq "…"`). */
function withValue(path: AttributePath): AttributePath {
  if (path.sub !== undefined || path.attribute.multiValued !== true) return path;
  const sub = path.attribute.subAttributes?.find(({ name }) => name === 'value');
  return { ...path, sub };
}

function prefixOf({ extension, attribute }: AttributePath): string {
  return extension === undefined ? attribute.name : `${extension}:${attribute.name}`;
}
