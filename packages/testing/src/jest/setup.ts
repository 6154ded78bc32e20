import { registerHooks } from 'node:module';

const globals = new URL('globals.ts', import.meta.url).href;

// `jest-light-runner` does not resolve `@jest/globals`. Jest's own runner, which the mutants use, does.
if (!('jest' in import.meta))
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@jest/globals'
        ? { url: globals, shortCircuit: true }
        : next(specifier, context),
  });
