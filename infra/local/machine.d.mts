type Env = Record<string, string | undefined>;

export function onPath(program: string, env?: Env): string | null;
export function findRabbitMq(scripts?: string[], env?: Env): string | null;
export function javaVersion(): number;
export function hasDocker(): boolean;
export function isWindowsDrive(folder: string, mounts?: string): boolean;
export function isReachable(url: string, env?: Env): Promise<boolean>;
