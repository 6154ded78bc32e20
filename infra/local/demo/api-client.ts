class Rejection extends Error {
  readonly code: string;

  constructor(call: string, status: number, problem: { code?: string; detail?: string }) {
    super(`${call} answered ${status} ${problem.code ?? ''}: ${problem.detail ?? ''}`);
    this.code = problem.code ?? '';
  }
}

interface Call {
  token?: string;
  body?: unknown;
  form?: Record<string, string | Buffer>;
}

export class ApiClient {
  readonly #site: string;

  constructor(site: string) {
    this.#site = site;
  }

  get<T>(path: string, token?: string): Promise<T> {
    return this.#call('GET', path, token === undefined ? {} : { token });
  }

  post<T>(path: string, call: Call): Promise<T> {
    return this.#call('POST', path, call);
  }

  put<T>(path: string, call: Call): Promise<T> {
    return this.#call('PUT', path, call);
  }

  async #call<T>(method: string, path: string, { token, body, form }: Call): Promise<T> {
    const response = await fetch(this.#site + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: form ? toFormData(form) : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const reply = await response.json().catch(() => ({}));
    if (!response.ok) throw new Rejection(`${method} ${path}`, response.status, reply);
    return reply as T;
  }
}

function toFormData(fields: Record<string, string | Buffer>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, new Blob([new Uint8Array(value)], { type: 'image/webp' }), `${name}.webp`);
  }
  return form;
}

/** Retries for up to ten seconds while the API rejects with this code: an event may still be in transit. */
export async function retryWhile<T>(code: string, attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRejection(error, code) || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

export function isRejection(error: unknown, code: string): boolean {
  return error instanceof Rejection && error.code === code;
}
