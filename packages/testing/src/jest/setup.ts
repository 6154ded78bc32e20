import { registerHooks } from 'node:module';

const globals = new URL('globals.ts', import.meta.url).href;

// `jest-light-runner` is told what Jest's own runner, with which the mutants run, knows by itself.
if (!('jest' in import.meta))
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@jest/globals'
        ? { url: globals, shortCircuit: true }
        : next(specifier, context),
  });
