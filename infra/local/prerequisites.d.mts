export interface Machine {
  platform: NodeJS.Platform;
  arch: string;
  /** Version of the Node that runs the bootstrap, without the v. */
  nodeVersion: string;
  isRoot: boolean;
  /** Whether Debian packages may be installed. */
  canInstall: boolean;
  isForTests: boolean;
  /** Whether the project is on a Windows drive. */
  isOnWindowsDrive: boolean;
  env: Record<string, string | undefined>;
  /** Whether a program is on PATH. */
  has: (program: string) => boolean;
  hasRabbitMq: boolean;
  /** Whether mongod is on PATH or can be downloaded, or its stand-in is present. */
  hasMongoDb: boolean;
  /** Major version of the Java on PATH; 0 without Java. */
  javaVersion: () => number;
  hasMaven: boolean;
  /** Whether the jars of a folder of infra/ have been fetched. */
  hasJars: (folder: string) => boolean;
  /** Whether a Docker engine answers. */
  hasDocker: () => boolean;
}

export const neededNode: number;
export const neededJava: number;
export function missingPrerequisites(machine: Machine): string[];
