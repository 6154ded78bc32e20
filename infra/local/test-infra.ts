/** @throws Error if `TEST_INFRA` is invalid or requires containers that are unavailable */
export async function chooseTestInfra<T>(ways: {
  requested: string | undefined;
  containers: () => Promise<T>;
  local: () => Promise<T>;
  say: (line: string) => void;
}): Promise<T> {
  const { requested, containers, local, say } = ways;
  if (requested && requested !== 'containers' && requested !== 'local')
    throw new Error(`TEST_INFRA is "containers" or "local", not "${requested}".`);
  if (requested === 'local') {
    say('TEST_INFRA=local: using servers of this machine');
    return local();
  }
  try {
    return await containers();
  } catch (error) {
    const why = (error as Error).message;
    if (requested === 'containers')
      throw new Error(`TEST_INFRA requires containers, but: ${why}`, { cause: error });
    say(`No containers (${why}): using servers of this machine`);
    return local();
  }
}
