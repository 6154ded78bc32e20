export interface Machine {
  platform: NodeJS.Platform;
  arch: string;
  /** The version without its `v`. */
  nodeVersion: string;
  isRoot: boolean;
  canInstall: boolean;
  isForTests: boolean;
  isOnWindowsDrive: boolean;
  env: Record<string, string | undefined>;
  has: (program: string) => boolean;
  hasRabbitMq: boolean;
  /** True if mongod is on PATH or can be downloaded, or its Java stand-in is present. */
  hasMongoDb: boolean;
  /** The major version, or 0 without Java. */
  javaVersion: () => number;
  hasMaven: boolean;
  hasJars: (folder: string) => boolean;
  hasDocker: () => boolean;
}

export const neededNode: number;
export const neededJava: number;
export function missingPrerequisites(machine: Machine): string[];
