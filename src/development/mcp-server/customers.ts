import type { JsonObject } from '../../kernel/json/json';

interface Customer extends JsonObject {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** Number of orders that the customer has placed. */
  readonly orders: number;
}

const CUSTOMERS: readonly Customer[] = [
  { id: 1, name: 'Grace Hopper', email: 'grace@example.com', orders: 12 },
  { id: 2, name: 'Edsger Dijkstra', email: 'edsger@example.com', orders: 3 },
  { id: 3, name: 'Barbara Liskov', email: 'barbara@example.com', orders: 7 },
  { id: 4, name: 'Test Account', email: 'test@example.com', orders: 0 },
];

/** The customers of the demo, in memory. Each start restores all of them and empties the log. */
export class DemoCustomers {
  private readonly kept = new Map(CUSTOMERS.map((customer) => [customer.id, customer]));
  private readonly lines: string[] = [];

  /** Actions since the start, one line each, oldest first. */
  get log(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  all(): Customer[] {
    this.did('listed all customers');
    return [...this.kept.values()];
  }

  search(text: string): Customer[] {
    this.did(`searched for ${JSON.stringify(text)}`);
    const wanted = text.toLowerCase();
    return [...this.kept.values()].filter(({ name, email }) =>
      `${name} ${email}`.toLowerCase().includes(wanted),
    );
  }

  /** Deletes a customer and returns it; undefined if there is none with this id. */
  delete(id: number): Customer | undefined {
    const customer = this.kept.get(id);
    if (customer === undefined) return undefined;
    this.kept.delete(id);
    this.did(`deleted customer ${id}`);
    return customer;
  }

  private did(what: string): void {
    this.lines.push(`${new Date().toISOString()} ${what}`);
    // The log is limited, because a server that runs for weeks must not use ever more memory.
    if (this.lines.length > 1_000) this.lines.shift();
  }
}
