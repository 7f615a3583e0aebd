import { createHmac } from 'node:crypto';
import type { Ask } from './provider.ts';

const derived = (browser: string, label: string, state: string): string =>
  createHmac('sha256', browser).update(`${label}:${state}`).digest('base64url');

/**
 * What one way to a service carries. PKCE verifier and nonce follow from the browser's secret, which only its cookie
 * holds: the database keeps nothing that could finish a flow, and another browser could not, even if it were let in.
 */
export const askOf = (flow: { browser: string; state: string; redirectUri: string }): Ask => ({
  redirectUri: flow.redirectUri,
  state: flow.state,
  nonce: derived(flow.browser, 'nonce', flow.state),
  codeVerifier: derived(flow.browser, 'pkce', flow.state),
});
