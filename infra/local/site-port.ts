import { isFree, type Ports, whoListensOn } from './ports.ts';

const usualPort = 8080;

/** @throws Error that names the process that uses the requested port */
export async function chooseSitePort(options: {
  requested: number | null;
  ports: Ports;
  say: (line: string) => void;
}): Promise<number> {
  const { requested, ports, say } = options;
  if (requested === 0) return ports.pick('site');
  const wanted = requested ?? usualPort;
  if (await isFree(wanted)) return wanted;
  const taken = `Port ${wanted} is taken by ${whoListensOn(wanted)}.`;
  if (requested !== null) throw new Error(`${taken} Choose another one: npm start -- --port 9000`);
  const other = await ports.pick('site');
  say(`${taken} The site is on port ${other} instead.`);
  return other;
}
