import 'reflect-metadata';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type INestApplicationContext, type Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, SELF_DECLARED_DEPS_METADATA } from '@nestjs/common/constants';
import { ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import type { Module } from '@nestjs/core/injector/module';
import { moduleOf } from './module-of';

/**
 * An injection: Nest injects the class `to` into the class `from`. For a port, `to` is the class that
 * implements it.
 */
export interface Injection {
  readonly from: string;
  readonly to: string;
}

type Token = Type | string | symbol;

/** All injections of an application, read from Nest's container; nothing has to be instantiated. */
export function injectionsOf(app: INestApplicationContext): Injection[] {
  const modules = [...app.get(ModulesContainer).values()];
  const found: Injection[] = [];
  for (const module of modules) {
    for (const wrapper of [...module.providers.values(), ...module.controllers.values()]) {
      const from = classOf(module, wrapper);
      if (from === undefined) continue;
      for (const token of dependenciesOf(wrapper)) {
        const provider = providerOf(module, token);
        const to = provider === undefined ? undefined : classOf(...provider);
        if (to !== undefined && to !== from) found.push({ from, to });
      }
    }
  }
  return found;
}

/** Returns the names of classes with more than `most` injected dependencies. */
export function widerThan(app: INestApplicationContext, most: number): string[] {
  const wrappers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.providers.values(),
    ...module.controllers.values(),
  ]);
  const wide = wrappers.filter((wrapper) => !isFactory(wrapper) && dependenciesOf(wrapper).length > most);
  return [...new Set(wide.flatMap(({ metatype }) => metatype?.name ?? []))].sort();
}

/** Returns the module that each exported class of `src` belongs to, by class name. */
export function foldersOfClasses(root: string): Map<string, string> {
  const folders = new Map<string, string>();
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.spec.ts') || file.includes('migrations/')) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/^export (?:abstract )?class (\w+)/gm)) {
      const folder = moduleOf(file);
      const known = folders.get(name);
      // Two classes of one name cannot be distinguished, so the name gets a value that is no folder.
      folders.set(name, known === undefined || known === folder ? folder : `${known} or ${folder}`);
    }
  }
  return folders;
}

/**
 * Returns groups of folders that depend on each other in a circle, each with the injections that cause the
 * circle. Ignores classes outside of `folders`, such as those of Nest and of libraries.
 */
export function knotsIn(injections: readonly Injection[], folders: ReadonlyMap<string, string>): string[] {
  const edges = new Map<string, Map<string, Injection>>();
  for (const injection of injections) {
    const [from, to] = [folders.get(injection.from), folders.get(injection.to)];
    if (from === undefined || to === undefined || from === to) continue;
    const ofFrom = edges.get(from) ?? new Map<string, Injection>();
    edges.set(from, ofFrom.set(`${injection.from} → ${injection.to}`, injection));
  }
  const next = (folder: string): string[] =>
    [...(edges.get(folder)?.values() ?? [])].flatMap(({ to }) => folders.get(to) ?? []);
  const reachable = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = next(start);
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      if (seen.has(folder)) continue;
      seen.add(folder);
      open.push(...next(folder));
    }
    return seen;
  };
  const knots = new Map<string, string>();
  for (const folder of edges.keys()) {
    const from = reachable(folder);
    if (!from.has(folder)) continue;
    const members = [...from].filter((other) => reachable(other).has(folder)).sort();
    const within = members.flatMap((member) =>
      [...(edges.get(member)?.entries() ?? [])]
        .filter(([, { to }]) => members.includes(folders.get(to) ?? ''))
        .map(([name, { to }]) => `  ${member} → ${folders.get(to)}: ${name}`),
    );
    knots.set(members.join(), [`${members.join(', ')}:`, ...within].join('\n'));
  }
  return [...knots.values()];
}

/** Returns the class of a provider; for a repository, its entity. Library values and functions have none. */
function classOf(module: Module, wrapper: InstanceWrapper, depth = 0): string | undefined {
  if (wrapper.isAlias) {
    const [token] = (wrapper.inject ?? []) as Token[];
    const target = token === undefined ? undefined : providerOf(module, token);
    return target === undefined || depth > 5 ? undefined : classOf(...target, depth + 1);
  }
  if (isFactory(wrapper)) {
    const { token } = wrapper;
    if (typeof token === 'function') return token.name.replace(/Repository$/, '');
    return typeof token === 'string' ? token.replace(/Repository$/, '') : undefined;
  }
  return wrapper.metatype?.name;
}

function isFactory({ inject, metatype }: InstanceWrapper): boolean {
  return Array.isArray(inject) && typeof metatype === 'function';
}

function dependenciesOf(wrapper: InstanceWrapper): Token[] {
  if (wrapper.isAlias) return [];
  if (isFactory(wrapper)) return (wrapper.inject ?? []).map(tokenOf);
  const { metatype } = wrapper;
  if (typeof metatype !== 'function') return [];
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, metatype) ?? []) as unknown[];
  const declared = (Reflect.getMetadata(SELF_DECLARED_DEPS_METADATA, metatype) ?? []) as {
    index: number;
    param: unknown;
  }[];
  return types.map((type, index) => tokenOf(declared.find((it) => it.index === index)?.param ?? type));
}

function tokenOf(param: unknown): Token {
  if (typeof param === 'object' && param !== null) {
    if ('forwardRef' in param) return tokenOf((param as { forwardRef: () => unknown }).forwardRef());
    if ('token' in param) return tokenOf(param.token);
  }
  return param as Token;
}

/** Finds a provider in a module, or else in the modules that it imports, directly or indirectly. */
function providerOf(
  module: Module,
  token: Token,
  seen = new Set<Module>(),
): [Module, InstanceWrapper] | undefined {
  seen.add(module);
  const own = module.providers.get(token);
  if (own !== undefined) return [module, own];
  for (const imported of module.imports) {
    if (seen.has(imported)) continue;
    const found = providerOf(imported, token, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
