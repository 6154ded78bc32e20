import { describe, expect, it } from '@jest/globals';
import { internalRoutes, subscriptions, routes as table } from '@lendtools/contracts';
import { routes } from './app.ts';
import { consumers } from './consumers.ts';
import type { Deps } from './deps.ts';

const nothing = {} as Deps;

describe('catalog', () => {
  it('serves every route that the contracts assign to the catalog service', () => {
    const all = Object.values({ ...table, ...internalRoutes });
    const own = all.filter((route) => route.service === 'catalog');

    expect(new Set(routes(nothing).map((bound) => bound.route))).toEqual(new Set(own));
  });

  it('consumes every queue whose name starts with `catalog.`', () => {
    const own = Object.keys(subscriptions).filter((queue) => queue.startsWith('catalog.'));

    expect(consumers(nothing).map(({ queue }) => queue)).toEqual(own);
  });
});
