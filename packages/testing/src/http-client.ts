// biome-ignore lint/suspicious/noExplicitAny: a test asserts on whatever came.
export interface Reply<T = any> {
  status: number;
  headers: Headers;
  body: T;
}

export interface RequestInput {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends FormData as multipart, anything else as JSON. */
export const httpClient = (base: string) => {
  const send =
    (method: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts on whatever came.
    async <T = any>(
      path: string,
      { token, body, headers = {} }: RequestInput = {},
    ): Promise<Reply<T>> => {
      const isForm = body instanceof FormData;
      const reply = await fetch(new URL(path, base), {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        body: body === undefined ? null : isForm ? body : JSON.stringify(body),
      });
      const text = await reply.text();
      const isJson = reply.headers.get('content-type')?.includes('json');
      return {
        status: reply.status,
        headers: reply.headers,
        body: isJson ? JSON.parse(text) : text,
      } as Reply<T>;
    };
  return { get: send('GET'), post: send('POST'), put: send('PUT'), delete: send('DELETE') };
};
export type HttpClient = ReturnType<typeof httpClient>;
