// The one module of a library that the build replaces. Where the script of a page does not arrive the router reloads
// the document, and offline there is none; it has no setting for that. This file can go once the router hands such an
// error to the route's error boundary, or asks the application.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const REPLACED = '/react-router/dist/production/lib/dom/ssr/routeModules.js';
/** What is replaced, as it was read when this was written. */
const KNOWN = '45f3a613573facb68627108934dc0d7dab433f1f4e999328df8eabda1a591412';

/** A page that fails in the script's stead, so that its error is one like any other. */
const INSTEAD = `export const loadRouteModule = async (route, loaded) => {
  try {
    return (loaded[route.id] ??= await import(/* @vite-ignore */ route.module));
  } catch (error) {
    const fail = () => { throw Object.assign(error, { name: 'RouteModuleError' }); };
    return { clientLoader: fail, default: fail };
  }
};`;

/**
 * Makes a script that does not arrive an error for the error page to show (shell/layout/error-page.tsx): whoever is
 * offline stays in the shop. A release of the router that reads otherwise, or elsewhere, fails the build.
 */
export const missingScriptsAreErrors = (): Plugin => {
  let isDone = false;
  return {
    name: 'missing-scripts-are-errors',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    load(id) {
      if (!id.endsWith(REPLACED)) return undefined;
      isDone = createHash('sha256').update(readFileSync(id)).digest('hex') === KNOWN;
      return INSTEAD;
    },
    generateBundle() {
      if (!isDone) this.error('React Router loads the scripts of pages in another way than before: look again.');
    },
  };
};
