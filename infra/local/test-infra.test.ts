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

describe('the servers of the tests come from', () => {
  it('containers, where an engine gives them', async () => {
    expect(await choose(undefined)).toEqual({ chosen: 'containers', said: [] });
  });

  it('this machine, where the engine has no images, and the run says why', async () => {
    const { chosen, said } = await choose('', refused);

    expect(chosen).toBe('local');
    expect(said).toEqual([expect.stringContaining('pull access denied for postgres')]);
  });

  it('where TEST_INFRA says', async () => {
    expect((await choose('local')).chosen).toBe('local');
    expect((await choose('containers')).chosen).toBe('containers');
  });

  it('nowhere else, when TEST_INFRA asks for containers', async () => {
    await expect(choose('containers', refused)).rejects.toThrow(/TEST_INFRA.*pull access denied/);
  });

  it('nowhere, when TEST_INFRA is misspelt', async () => {
    await expect(choose('docker')).rejects.toThrow('not "docker"');
  });
});
