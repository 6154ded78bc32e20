import { registerHooks } from 'node:module';

const globals = new URL('globals.ts', import.meta.url).href;

// Resolve `@jest/globals`, which `jest-light-runner` does not do.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});
