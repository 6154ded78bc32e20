import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { startMarketplace } from './marketplace.ts';

const home = mkdtempSync(join(tmpdir(), 'half-restored-'));
afterAll(() => rmSync(home, { recursive: true }));

it('the marketplace does not start after a failed restore, and prints how to empty the data folder', async () => {
  writeFileSync(join(home, 'half-restored'), '');
  const options = { home, port: 0, withDemo: false, replicas: new Map(), restore: null };

  const { ready, stop } = startMarketplace(options, () => {});

  await expect(ready).rejects.toThrow(`only a part is there. Empty it: rm -r ${home}`);
  await stop();
});
