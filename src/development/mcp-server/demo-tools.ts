import type { JsonObject } from '../../kernel/json/json';
import type { DemoCustomers } from './customers';

export interface DemoTool {
  /** The tool in the form of `tools/list`. */
  readonly definition: JsonObject & { readonly name: string };
  /** Returns the result of `tools/call`. */
  run(args: JsonObject): JsonObject;
}

const CUSTOMER = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    email: { type: 'string' },
    orders: { type: 'integer' },
  },
  required: ['id', 'name', 'email', 'orders'],
};
const CUSTOMERS = {
  type: 'object',
  properties: { customers: { type: 'array', items: CUSTOMER } },
  required: ['customers'],
};
const READS = { readOnlyHint: true, openWorldHint: false };
const DELETES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

const LIST_CUSTOMERS = {
  name: 'list_customers',
  title: 'List customers',
  description: 'Returns all customers, with the number of their orders.',
  inputSchema: { type: 'object', properties: {} },
  outputSchema: CUSTOMERS,
  annotations: READS,
};
const SEARCH_CUSTOMERS = {
  name: 'search_customers',
  title: 'Search customers',
  description: 'Returns the customers whose name or e-mail address contains a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  outputSchema: CUSTOMERS,
  annotations: READS,
};
const DELETE_CUSTOMER = {
  name: 'delete_customer',
  title: 'Delete a customer',
  description: 'Deletes one customer, for good.',
  inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  outputSchema: { type: 'object', properties: { deleted: CUSTOMER }, required: ['deleted'] },
  annotations: DELETES,
};

/** Returns the tools of the demo server: two read customers, one deletes a customer. */
export function demoTools(customers: DemoCustomers): DemoTool[] {
  return [
    { definition: LIST_CUSTOMERS, run: () => structured({ customers: customers.all() }) },
    {
      definition: SEARCH_CUSTOMERS,
      run: ({ text }) =>
        typeof text === 'string'
          ? structured({ customers: customers.search(text) })
          : failed('"text" is not a string'),
    },
    {
      definition: DELETE_CUSTOMER,
      run: ({ id }) => {
        if (typeof id !== 'number') return failed('"id" is not a number');
        const deleted = customers.delete(id);
        return deleted === undefined ? failed(`There is no customer ${id}.`) : structured({ deleted });
      },
    },
  ];
}

/** Returns the value also as text, for clients that do not read structured content. */
function structured(value: JsonObject): JsonObject {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

/** Returns a result with an error that the AI model sees, so that it can correct its call. */
function failed(why: string): JsonObject {
  return { content: [{ type: 'text', text: why }], isError: true };
}
