import { describe, expect, it } from '@jest/globals';
import { chooseTestInfra } from './test-infra.ts';

async function rejected(): Promise<string> {
  throw new Error('pull access denied for postgres');
}

async function choose(requested: string | undefined, containers = async () => 'containers') {
  const said: string[] = [];
  const chosen = await chooseTestInfra({
    requested,
    containers,
    local: async () => 'local',
    say: (line) => said.push(line),
  });
  return { chosen, said };
}

describe('chooseTestInfra', () => {
  it('runs the test servers in containers if an engine is available', async () => {
    expect(await choose(undefined)).toEqual({ chosen: 'containers', said: [] });
  });

  it('runs the test servers on this machine if the engine lacks images, and prints why', async () => {
    const { chosen, said } = await choose('', rejected);

    expect(chosen).toBe('local');
    expect(said).toEqual([expect.stringContaining('pull access denied for postgres')]);
  });

  it('runs the test servers in containers or on this machine, as TEST_INFRA requires', async () => {
    expect((await choose('local')).chosen).toBe('local');
    expect((await choose('containers')).chosen).toBe('containers');
  });

  it('does not run the test servers on this machine if TEST_INFRA requires containers', async () => {
    await expect(choose('containers', rejected)).rejects.toThrow(/TEST_INFRA.*pull access denied/);
  });

  it('rejects an unknown TEST_INFRA', async () => {
    await expect(choose('docker')).rejects.toThrow('not "docker"');
  });
});
