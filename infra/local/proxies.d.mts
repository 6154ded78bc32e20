type Env = Record<string, string | undefined>;

export function proxyFor(address: string, env: Env): URL | null;
export function mavenOptions(env: Env): string[];
