/**
 * Chooses where the test servers run: in containers if an engine is available, otherwise on this machine. `TEST_INFRA`
 * forces one of the two.
 * @throws if `TEST_INFRA` requires containers that are unavailable, or is invalid
 */
export async function chooseTestInfra<T>(ways: {
  asked: string | undefined;
  containers: () => Promise<T>;
  local: () => Promise<T>;
  say: (line: string) => void;
}): Promise<T> {
  const { asked, containers, local, say } = ways;
  if (asked && asked !== 'containers' && asked !== 'local')
    throw new Error(`TEST_INFRA is "containers" or "local", not "${asked}".`);
  if (asked === 'local') {
    say('TEST_INFRA=local: using servers of this machine');
    return local();
  }
  try {
    return await containers();
  } catch (error) {
    const why = (error as Error).message;
    if (asked === 'containers')
      throw new Error(`TEST_INFRA requires containers, but: ${why}`, { cause: error });
    say(`No containers (${why}): using servers of this machine`);
    return local();
  }
}
