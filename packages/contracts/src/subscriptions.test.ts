import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { subscriptions } from './subscriptions.ts';

const root = path.join(import.meta.dirname, '../../..');

const slicesOf = (queue: string): string[] => {
  const [service, slice] = queue.split('.');
  return globSync(`services/${service}/src/**/${slice}/${slice}.ts`, { cwd: root });
};

it('each queue is named after the slice that consumes it', () => {
  const misnamed = Object.keys(subscriptions).filter((queue) => slicesOf(queue).length !== 1);

  expect(misnamed).toEqual([]);
});
