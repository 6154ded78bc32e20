import { Agent, type IncomingHttpHeaders, request as open } from 'node:http';
import { marketplace } from '../src/marketplace.ts';

export interface WireRequest {
  method: string;
  /** The path is sent without normalizing `..`. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
}

export interface WireReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Includes the time until the last byte of the reply. */
  tookMs: number;
}

const answerWithinMs = 30_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * Sends a request unchanged; regular HTTP clients would normalize or refuse hostile requests.
 * @throws Error if no complete reply comes in time
 */
export const send = ({ method, path, headers, body }: WireRequest): Promise<WireReply> => {
  const { hostname, port } = new URL(marketplace().site);
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(body.length) } : {};
    const request = open(
      { agent, hostname, port, method, path, headers: { ...headers, ...length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode = 0, headers: answered } = response;
          const tookMs = performance.now() - startedAt;
          resolve({ status: statusCode, headers: answered, text, tookMs });
        });
        response.on('error', reject);
      },
    );
    request.setTimeout(answerWithinMs, () => request.destroy(new Error('no reply in time')));
    request.on('error', reject);
    request.end(body);
  });
};

export const asCurl = ({ method, path, headers, body }: WireRequest): string => {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const { authorization, ...others } = headers;
  const given = Object.entries({
    ...others,
    ...(authorization && { authorization: authorization.slice(0, 60) }),
  }).map(([name, value]) => `-H ${quote(`${name}: ${value.slice(0, 200)}`)}`);
  const data = body?.length ? [`--data-binary ${quote(body.toString('utf8').slice(0, 600))}`] : [];
  return [
    'curl --path-as-is -i',
    `-X ${method}`,
    quote(new URL(marketplace().site).origin + path),
    ...given,
    ...data,
  ].join(' ');
};
