import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import { startLoad } from '../src/load.ts';
import { marketplace } from '../src/marketplace.ts';

/** Sends SIGTERM as a deployment does, and waits until the new process is ready. */
const replace = async (name: string, replica: number): Promise<void> => {
  const now = () =>
    marketplace().processes.find((each) => each.name === name && each.replica === replica);
  const old = now();
  if (!old) throw new Error(`Start the marketplace with --replicas ${name}=2`);
  process.kill(old.pid, 'SIGTERM');
  await waitFor(
    `${name} ${replica} to be replaced`,
    async () =>
      now()?.pid !== old.pid &&
      (await fetch(`http://127.0.0.1:${old.port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )),
  );
};

describe('a deployment', () => {
  it('replaces all replicas, one of each service at a time, without a failed request', async () => {
    const failures: string[] = [];
    const load = await startLoad(failures);

    const requestedMeanwhile: number[] = [];
    try {
      for (const replica of [1, 2]) {
        const requestedBefore = load.requested();
        await Promise.all(serviceNames.map((name) => replace(name, replica)));
        requestedMeanwhile.push(load.requested() - requestedBefore);
      }
    } finally {
      await load.stop();
    }

    expect(Math.min(...requestedMeanwhile)).toBeGreaterThan(0);
    expect(failures).toEqual([]);
  });
});
