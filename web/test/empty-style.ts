/** Stands in for CSS modules: each class is named like its key. */
export default new Proxy<Record<string, string>>({}, { get: (_, name) => String(name) });
