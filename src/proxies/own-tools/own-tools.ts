import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Server } from 'node:http';
import { HttpSettings } from '../../platform/config/groups';
import { PROGRAM_VERSION } from '../../kernel/runtime/program-version';
import { FAULT_MESSAGE } from '../../gate/refusal';
import { type JsonObject, isObject, plainJson } from '../../kernel/json/json';
import type { RequestingClient } from '../mcp/client/requesting-client';
import { errorAnswer, unknownTool } from '../mcp/http/refusals';
import { RPC_ERRORS } from '../../targets/mcp/protocol/rpc-errors';
import type { UpstreamAnswer, UpstreamRequest } from '../../targets/mcp/upstream';
import { EventsTool } from './events-tool';
import { OwnApi, type OwnCaller } from './own-api';
import { RouteTool } from './route-tool';
import { TOOL_DEFINITIONS } from './tool-definitions';
import { refusedResult, resultOf } from './tool-result';

const INSTRUCTIONS =
  'These tools use the access gateway as the person or machine that signed in, with their rights: run scripts on connections, read recorded sessions, and decide on reviews. What waits for a review has not run.';

/** The API of this gateway as an MCP server: answers the requests of clients. */
@Injectable()
export class OwnTools {
  private readonly log = new Logger(OwnTools.name);
  private readonly api: OwnApi;
  private describe: (() => OpenAPIObject) | undefined;
  private made: ReadonlyMap<string, RouteTool | EventsTool> | undefined;

  constructor(
    host: HttpAdapterHost,
    private readonly http: HttpSettings,
  ) {
    const server = (): Server => host.httpAdapter.getHttpServer() as Server;
    this.api = new OwnApi(server, new URL(http.apiUrl).host);
  }

  /** @param document builds the API description; it is called when a client first needs the tools. */
  describedBy(document: () => OpenAPIObject): void {
    this.describe = document;
  }

  /** Answers one request. Never rejects. */
  async answer({ method, params }: UpstreamRequest, client: RequestingClient): Promise<UpstreamAnswer> {
    switch (method) {
      case 'server/discover':
        return {
          kind: 'result',
          result: {
            capabilities: { tools: {} },
            serverInfo: { name: 'access-gateway', title: 'Access Gateway', version: PROGRAM_VERSION },
            instructions: INSTRUCTIONS,
          },
        };
      case 'tools/list': {
        if (params['cursor'] !== undefined)
          return errorAnswer(RPC_ERRORS.invalidParams, 'the list has one page, so there is no cursor');
        return { kind: 'result', result: { tools: [...this.tools.values()].map(({ listed }) => listed) } };
      }
      case 'tools/call':
        return this.call(params, client).catch((error: unknown) => {
          const req = { id: client.arrival.requestId };
          if (!client.signal.aborted) this.log.error({ err: error, req }, 'A tool could not call the API');
          return errorAnswer(RPC_ERRORS.internalError, FAULT_MESSAGE);
        });
      default:
        return errorAnswer(RPC_ERRORS.methodNotFound, `Method not found: ${method}`);
    }
  }

  private async call(params: JsonObject, client: RequestingClient): Promise<UpstreamAnswer> {
    const { name, arguments: args = {} } = params;
    if (typeof name !== 'string') return errorAnswer(RPC_ERRORS.invalidParams, '"name" is not a string');
    if (!isObject(args)) return errorAnswer(RPC_ERRORS.invalidParams, '"arguments" is not an object');
    const tool = this.tools.get(name);
    if (tool === undefined) return unknownTool(name.slice(0, 128));
    const { principal, address, caller, requestId } = client.arrival;
    if (caller === undefined) throw new Error('the caller of a tool has no credential');
    const asked = tool.asks(args, principal);
    if (asked.kind === 'fault') return { kind: 'result', result: refusedResult(asked.message) };
    const as: OwnCaller = { ...caller, address, requestId };
    const answer = await this.api.send(asked.request, as, client.signal);
    if (tool instanceof RouteTool) return { kind: 'result', result: await resultOf(answer, tool.without) };
    const isPage = answer.statusCode === 200;
    return { kind: 'result', result: await (isPage ? tool.resultOf(answer, args) : resultOf(answer)) };
  }

  private get tools(): ReadonlyMap<string, RouteTool | EventsTool> {
    this.made ??= this.make();
    return this.made;
  }

  private make(): ReadonlyMap<string, RouteTool | EventsTool> {
    if (this.describe === undefined) throw new Error('the API is not described');
    // Plain JSON, the form in which the API serves the document.
    const document = plainJson(this.describe()) as JsonObject;
    const prefix = this.http.apiPrefix;
    const tools = new Map<string, RouteTool | EventsTool>();
    for (const definition of TOOL_DEFINITIONS) {
      tools.set(definition.name, new RouteTool(definition, document, prefix));
      // Lists this tool right after `get_session`.
      if (definition.name === 'get_session') tools.set(EventsTool.toolName, new EventsTool(prefix));
    }
    return tools;
  }
}
