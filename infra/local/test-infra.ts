/**
 * Where the tests' servers come from: containers wherever an engine gives them, else this machine; `TEST_INFRA`
 * allows only one of the two.
 * @throws when `TEST_INFRA` asks for containers that can't be had, or for something else
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
    say('TEST_INFRA asks for servers of this machine');
    return local();
  }
  try {
    return await containers();
  } catch (error) {
    const why = (error as Error).message;
    if (asked === 'containers')
      throw new Error(`TEST_INFRA asks for containers, but: ${why}`, { cause: error });
    say(`No containers (${why}): servers of this machine instead`);
    return local();
  }
}
