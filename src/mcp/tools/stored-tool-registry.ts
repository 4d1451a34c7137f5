import { Injectable } from '@nestjs/common';
import type { Target } from '../../gate/ports/target-directory';
import { type ListedTool, ToolRegistry, type ToolState } from '../../gate/ports/tool-registry';
import { type MaybePromise, thenMaybe } from '../../kernel/async/maybe-promise';
import { type KnownTool, RememberedTools } from './remembered-tools';
import { type ToolDefinition, definitionsOf } from './tool-definition';
import { MAX_TOOLS, ToolListing } from './tool-listing';

/** Keeps the tools of connections in PostgreSQL, so that all gateways agree on them, also after a restart. */
@Injectable()
export class StoredToolRegistry extends ToolRegistry {
  constructor(
    private readonly remembered: RememberedTools,
    private readonly listing: ToolListing,
  ) {
    super();
  }

  async listed(target: Target, tools: readonly ListedTool[]): Promise<ReadonlyMap<string, ToolState>> {
    const definitions = await definitionsOf(tools);
    let known = await this.remembered.of(target);
    const { size } = known;
    const isToStore = ({ name, fingerprint }: ToolDefinition): boolean => {
      const tool = known.get(name);
      return tool === undefined ? size < MAX_TOOLS : tool.fingerprint !== fingerprint;
    };
    if ([...definitions.values()].some(isToStore)) {
      await this.listing.store(target, definitions.values());
      this.remembered.forget(target.id);
      known = await this.remembered.of(target);
    }
    const states = new Map<string, ToolState>();
    for (const { name, fingerprint } of definitions.values()) {
      const tool = known.get(name);
      // Uses the fingerprint from this list, because another gateway may have stored the fingerprint from
      // another list meanwhile.
      if (tool !== undefined) states.set(name, toolStateOf({ ...tool, fingerprint }));
    }
    return states;
  }

  find(target: Target, name: string): MaybePromise<ToolState | undefined> {
    return thenMaybe(this.remembered.of(target), (known) => {
      const tool = known.get(name);
      return tool === undefined ? undefined : toolStateOf(tool);
    });
  }
}

export function toolStateOf({ fingerprint, accepted }: KnownTool): ToolState {
  if (accepted === null) return { status: 'held', fingerprint };
  return { status: accepted === fingerprint ? 'accepted' : 'changed', fingerprint };
}
