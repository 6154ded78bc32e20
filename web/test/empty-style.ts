/** Style files mean nothing in jsdom: every class is its own name. */
export default new Proxy<Record<string, string>>({}, { get: (_, name) => String(name) });
