/** The first major version of Node that runs TypeScript sources directly. */
export const neededNode = 24;
export const neededJava = 17;

/** The npm package of Node exists only for these systems. */
const withNodePackage = ['linux-x64', 'linux-arm64'];
const withPostgres = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];

/** Returns a sentence for each thing that must be installed or set by hand. */
export function missingPrerequisites(machine) {
  const { platform } = machine;
  if (platform === 'win32')
    return ['Linux or macOS. On Windows, use WSL or infra/docker-compose.yml.'];
  return [
    missingPlace(machine),
    missingNode(machine),
    missingPostgres(machine),
    missingRabbitMq(machine),
    missingMongoDb(machine),
    ...(machine.isForTests ? missingForTests(machine) : []),
  ].filter((sentence) => sentence !== null);
}

function missingPlace({ isOnWindowsDrive }) {
  if (!isOnWindowsDrive) return null;
  return (
    "A folder in Linux's own file system. This one is on a Windows drive, where PostgreSQL can't protect its data: " +
    'clone LendTools again below your home folder in WSL, for example into ~/lendtools.'
  );
}

function missingNode({ platform, arch, nodeVersion }) {
  const system = `${platform}-${arch}`;
  if (withNodePackage.includes(system) || Number(nodeVersion.split('.')[0]) >= neededNode)
    return null;
  const how = platform === 'darwin' ? 'brew install node, nvm install 24' : 'nvm install 24';
  return `Node ${neededNode} or newer. This is Node ${nodeVersion}, and npm brings none for ${system}: ${how} or https://nodejs.org.`;
}

function missingPostgres({ platform, arch, isRoot, canInstall, env, has }) {
  if (env.POSTGRES_URL) return null;
  if (!withPostgres.includes(`${platform}-${arch}`))
    return `PostgreSQL. npm brings none for ${platform}-${arch}: set POSTGRES_URL=postgres://admin:password@host/postgres (18 or newer).`;
  if (!isRoot || canInstall || has('setpriv')) return null;
  return "An ordinary user. PostgreSQL doesn't run as root: log in as another user, or set POSTGRES_URL.";
}

function missingRabbitMq({ platform, canInstall, env, hasRabbitMq, hasDocker }) {
  if (env.AMQP_URL || hasRabbitMq || canInstall || hasDocker()) return null;
  const how = platform === 'darwin' ? 'brew install rabbitmq' : 'apt install rabbitmq-server';
  return `RabbitMQ. Install it (${how}), start Docker, or set AMQP_URL=amqp://user:password@host.`;
}

function missingMongoDb({ platform, canInstall, env, hasMongoDb, hasDocker, ...java }) {
  if (env.MONGO_URL || hasMongoDb || canInstall || hasDocker()) return null;
  if (hasJava('mongo-local', java)) return null;
  return (
    "MongoDB, whose download can't be reached. Install it so that mongod is on PATH, " +
    `or Java ${neededJava} and Maven (${javaCommand(platform)}), start Docker, or set MONGO_URL=mongodb://host:27017.`
  );
}

function missingForTests({ platform, canInstall, env, has, hasDocker, ...java }) {
  if (canInstall) return [];
  const isMac = platform === 'darwin';
  return [
    env.TEST_S3_URL || hasDocker() || hasJava('s3-server', java)
      ? null
      : `Java ${neededJava} and Maven, for the tests' S3 server (${javaCommand(platform)}), or set TEST_S3_URL=http://KEY:SECRET@host:port.`,
    has('promtool')
      ? null
      : `promtool, for the tests of the alerts: ${isMac ? 'brew' : 'apt'} install prometheus.`,
  ];
}

function javaCommand(platform) {
  return platform === 'darwin'
    ? 'brew install --cask temurin; brew install maven'
    : 'apt install default-jre-headless maven';
}

function hasJava(folder, { javaVersion, hasJars, hasMaven }) {
  return javaVersion() >= neededJava && (hasJars(folder) || hasMaven);
}
