import { describe, expect, it } from '@jest/globals';
import { chooseTestInfra } from './test-infra.ts';

const refused = async () => {
  throw new Error('pull access denied for postgres');
};

const choose = async (asked: string | undefined, containers = async () => 'containers') => {
  const said: string[] = [];
  const chosen = await chooseTestInfra({
    asked,
    containers,
    local: async () => 'local',
    say: (line) => said.push(line),
  });
  return { chosen, said };
};

describe('chooseTestInfra', () => {
  it('runs the test servers in containers if an engine is available', async () => {
    expect(await choose(undefined)).toEqual({ chosen: 'containers', said: [] });
  });

  it('runs the test servers on this machine if the engine lacks images, and prints why', async () => {
    const { chosen, said } = await choose('', refused);

    expect(chosen).toBe('local');
    expect(said).toEqual([expect.stringContaining('pull access denied for postgres')]);
  });

  it('runs the test servers where TEST_INFRA requires it', async () => {
    expect((await choose('local')).chosen).toBe('local');
    expect((await choose('containers')).chosen).toBe('containers');
  });

  it('does not run the test servers on this machine if TEST_INFRA requires containers', async () => {
    await expect(choose('containers', refused)).rejects.toThrow(/TEST_INFRA.*pull access denied/);
  });

  it('rejects an unknown TEST_INFRA', async () => {
    await expect(choose('docker')).rejects.toThrow('not "docker"');
  });
});
